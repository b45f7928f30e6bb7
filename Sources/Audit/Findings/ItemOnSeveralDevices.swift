import Records

extension FindingKind {
  /// Rows of one item in several stores.
  static let itemOnSeveralDevices = FindingKind(
    "item-on-several-devices", .note,
    title: "a row that gave way to one of another device",
    meaning:
      "Several stores were converted into one, and this item was in more than one of them. It "
      + "is kept once: the row with the newest updatedAt, then that with the highest version, "
      + "then that of the first store. A version is compared as the number that is in it where it "
      + "is a row version of SQL Server, which is eight bytes in Base64, and otherwise by its bytes. "
      + "Two rows are the same item when the bytes of their ids are the same; a different letter "
      + "case makes another item, which item-id-case-twins tells. The row that gave way is kept here, "
      + "in the column item of rehome_finding, as an export of its store would show it. What "
      + "referred to it refers to the row that is kept. An operation that would have sent it keeps "
      + "what it would have sent. Of a relationship between many and many, a pair that several "
      + "stores have is kept once in the same way.",
    causes: [
      "Devices of one user or team have pulled the same items.",
      "One backup was given twice.",
    ],
    remedies: [
      "Nothing, if the newer row is the right one.",
      "Compare the columns of the row with those of the kept one where a device had "
        + "changes that it never sent: the queue tells which.",
    ]
  )
}
