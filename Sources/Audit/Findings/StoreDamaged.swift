import Records

extension FindingKind {
  /// A file of which only a part could be read.
  static let storeDamaged = FindingKind(
    "store-damaged", .error,
    title: "a damaged store, read with --salvage",
    meaning:
      "Pages of the file contradict each other, or are missing. What could still be read was "
      + "read page by page; the finding says how much of the file was not. Values inside of a "
      + "page that was written over with others of the same kind cannot be told from true ones.",
    causes: [
      "The copy was cut short, or the medium that it came from is failing.",
      "The device lost power while it wrote, or another program wrote into the file.",
    ],
    remedies: [
      "Copy the store again with its side files, or take an older backup, and compare.",
      "Where this is the only copy, take the result as incomplete.",
    ]
  )

  /// A table of which only a part could be read.
  static let tableSalvaged = FindingKind(
    "table-salvaged", .error,
    title: "a table of which rows are lost",
    meaning:
      "The store is damaged, and this table with it. The finding says how many rows were read, "
      + "how many are known to be lost, and how many parts of the table were not found; nobody "
      + "knows how many rows these held. Pages that nothing leads to any more were taken into the "
      + "table when their rows fit no other.",
    causes: [
      "The damage that the finding store-damaged tells of."
    ],
    remedies: [
      "Compare with the server or with an older backup before relying on the table."
    ]
  )
}
