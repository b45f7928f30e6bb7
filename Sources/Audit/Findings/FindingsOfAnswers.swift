import Records

extension FindingKind {
  /// An answer that is not the last page.
  static let morePages = FindingKind(
    "more-pages", .warning,
    title: "an answer that goes on with another page",
    meaning:
      "The file is the answer of a service, or several of them, and each names a further page or says "
      + "that it is not the last, or they are fewer than they say. The rows are not all that the "
      + "service has.",
    causes: [
      "A service hands out at most so many rows at a time, and only the first answer was kept."
    ],
    remedies: [
      "Ask the service for the page that the link names, until there is none, and give all files to "
        + "one seed. Files of one name, or renamed to one with --rename, are pages of one table."
    ]
  )

  /// An answer with rows that tells of a failure, too.
  static let failureBesideRows = FindingKind(
    "failure-beside-rows", .warning,
    title: "an answer that tells of a failure beside its rows",
    meaning:
      "The file is the answer of a service, which has rows and says that something went wrong. The "
      + "rows are taken; those that the failure has cost are not among them.",
    causes: [
      "The service failed while it was already sending rows.",
      "It was asked for several things, as with GraphQL, and gave those that it could.",
    ],
    remedies: [
      "Look into the file at what the service says, ask it again, and seed from that answer."
    ]
  )

  /// A count that is not that of the rows.
  static let countDiffers = FindingKind(
    "count-differs", .warning,
    title: "an answer that counts other rows than it has",
    meaning:
      "The answer of a service says how many rows there are, and the file has more or fewer of "
      + "them.",
    causes: [
      "The file has one page of several.",
      "The answer was cut or joined by hand, or the service counts something else.",
    ],
    remedies: [
      "Ask the service once more, and compare what it counts with the rows of all pages."
    ]
  )

  /// Changes of OData, in which removed items stand among the others.
  static let removedItemsAmongRows = FindingKind(
    "removed-items-among-rows", .warning,
    title: "removed items among the rows of an answer",
    meaning:
      "The answer of a service of OData tells what has changed since another one. Some of its rows only "
      + "say that an item is gone, or linked to another; they are rows of the new store like the rest.",
    causes: [
      "The service was asked for changes, with a delta link, and not for all rows."
    ],
    remedies: [
      "Ask the service for all rows, without the delta link, and seed from that answer.",
      "Or take the objects with @removed or with a context of $deletedEntity out of the file.",
    ]
  )

  static let rowOnSeveralPages = FindingKind(
    "row-on-several-pages", .note,
    title: "a row that came on several pages",
    meaning:
      "Pages of one table have a row with the same id and the same content. It is kept once; the "
      + "finding has the row that was not kept.",
    causes: [
      "Rows were added or removed while the pages were fetched, and others moved from page to page.",
      "A page was given twice.",
    ],
    remedies: [
      "Nothing needs to be done about the row. Where pages were fetched while rows were removed, "
        + "others may lack: fetch the pages again."
    ]
  )

  /// What is no page among the pages of an answer.
  static let valuesAmongPages = FindingKind(
    "values-among-pages", .warning,
    title: "values among the pages of an answer",
    meaning:
      "A JSON file has its rows in pages, and texts, numbers, truth words or arrays of objects without "
      + "any rows where such a page should be, or where the way to its rows goes on; or elements that hold "
      + "no row where others hold one each. They are not in the new store.",
    causes: [
      "A service answered with a message in place of a page, or with null in place of a row that it may "
        + "not show.",
      "Files were put into one, of which some have their rows in pages and others in bare arrays.",
    ],
    remedies: [
      "Look into the file at what stands there. Ask for a page that lacks once more.",
      "Put rows that stand bare into a file of their own, and give both files to one seed; files of "
        + "one name, or renamed to one with --rename, are pages of one table.",
    ]
  )

  /// A file that has nothing in common with the others of its table.
  static let pageOfOtherColumns = FindingKind(
    "page-of-other-columns", .warning,
    title: "a file that shares no column with the others of its table",
    meaning:
      "Several CSV files make one table, as they have one name or were renamed to one, and one of them "
      + "has none of the columns of the others. Its rows are in the table, with columns of their own.",
    causes: [
      "A long file was cut into parts, of which only the first has the header: the first row of each "
        + "other part was taken for one.",
      "The file is of another table.",
    ],
    remedies: [
      "Give each part the header of the first, and seed again.",
      "Where the first line is a header, --header says so; call a file of another table otherwise.",
    ]
  )

  /// What lies beside the rows of an answer.
  static let membersLeftAside = FindingKind(
    "members-left-aside", .note,
    title: "members beside the rows of a document",
    meaning:
      "A JSON document wraps its rows, and has more beside them or in them than the rows of the "
      + "table: other members, or annotations of OData. It is not in the new store.",
    causes: [
      "Services tell about an answer in the answer itself."
    ],
    remedies: [
      "Where such a member has rows, too, take them with --rows PATH, once for each table.",
      "Where the document is one row itself, say so with --rows '$'.",
    ]
  )
}
