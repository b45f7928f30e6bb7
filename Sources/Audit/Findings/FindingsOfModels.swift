import Records

extension FindingKind {
  /// One version of the given model cannot be read.
  static let modelVersionUnreadable = FindingKind(
    "model-version-unreadable", .note,
    title: "one version of the given model cannot be read",
    meaning:
      "The model that --model names has several versions, and this one could not be "
      + "tried. Another version belongs to the store.",
    causes: [
      "A damaged file, or a form that only newer tools write."
    ],
    remedies: [
      "Nothing, as long as the version that was chosen is right."
    ]
  )

  /// The model and the tables are not the same.
  static let modelDiffersFromStore = FindingKind(
    "model-differs-from-store", .warning,
    severityNote:
      "A note where everything is read all the same, an error where rows or values are left out."
      + " A warning where it cannot be told, too.",
    title: "the model and the tables are not the same",
    meaning:
      "The store's model says something else than its tables. What is in the tables of the model is "
      + "read; what only the model knows is left out. What is in other tables and columns is left out, "
      + "too.",
    causes: [
      "A migration by hand, or a tool that changed the file."
    ],
    remedies: [
      "Check the tables and columns named in the message against the app."
    ]
  )

  /// A column of a type that Core Data does not have.
  static let unknownColumnType = FindingKind(
    "unknown-column-type", .note,
    title: "a column of a type that Core Data is not known to have",
    meaning:
      "A column of a Core Data store is declared as Core Data declares none, or the model gives it a "
      + "type that is not known. Its values are read as what most of them are: text, bytes or numbers. "
      + "Numbers may be times or truth values.",
    causes: [
      "Another tool than Core Data has made the table or the column.",
      "A model of a system that is newer than this tool.",
    ],
    remedies: [
      "Say with --type TABLE.COLUMN=TYPE what the values are."
    ]
  )

  /// A number that may be the key of another row.
  static let referenceWithoutTarget = FindingKind(
    "reference-without-target", .warning,
    severityNote:
      "A note where the column is called as an entity and its numbers lead to rows of that.",
    title: "a number that may be the key of another row",
    meaning:
      "The store has no model, and the column has an index or a place in an order, as the keys of "
      + "other rows have. So it is taken for such keys, which are nothing that is sent. Where it is "
      + "called as an entity, and at least nine of ten numbers are keys of its rows, these are the rows "
      + "that it refers to. Otherwise it is not known of what entity they are, and the numbers stay as "
      + "they are. Where stores are merged, rows get other keys, and such numbers follow them only if "
      + "another of the stores knows the entity.",
    causes: [
      "Stores of systems before 2016 have no embedded model.",
      "An app may want an index for a number of its own, and it is called as that of a relationship.",
    ],
    remedies: [
      "Give the app's model with --model FILE; then the reference leads to its rows.",
      "Where it is a number, say so with --type TABLE.COLUMN=integer; then it is sent.",
    ]
  )

  /// Names that were guessed from columns.
  static let namesFromFallback = FindingKind(
    "names-from-fallback", .note,
    severityNote: "A warning where the store has a model that cannot be used.",
    title: "names that were guessed from columns",
    meaning:
      "The store carries no model, so tables and columns have the names that the SDK is known "
      + "to use, or those of the columns in upper case.",
    causes: [
      "Stores of systems before 2016 have no embedded model."
    ],
    remedies: [
      "Give the app's model with --model FILE; any version that fits the store will do."
    ]
  )

  /// A name that had to give way.
  static let nameChanged = FindingKind(
    "name-changed", .note,
    title: "a table or column that has another name here",
    meaning:
      "The name that the app uses is reserved, taken by another table or column when "
      + "letter case does not count, or no UTF-8. The catalogue keeps the app's own name as the "
      + "source name, as far as it is text.",
    causes: [
      "Names that begin with rehome_ or sqlite_, a column named _pk, or names that differ "
        + "only in letter case.",
      "An app that wrote its names in the code page of its time, such as Latin-1 or Shift-JIS.",
    ],
    remedies: [
      "Use the new name with rehome and the old one with the app."
    ]
  )

  /// Rows that belong to no entity.
  static let rowsOfUnknownEntity = FindingKind(
    "rows-of-unknown-entity", .error,
    title: "rows that belong to no entity",
    meaning:
      "Rows carry an entity number that the model does not have. The app does not see them, "
      + "and no table can take them.",
    causes: [
      "An entity was removed from the model and its rows stayed, or the file was damaged."
    ],
    remedies: [
      "Read the rows with any SQLite tool if they matter."
    ]
  )

  /// An XML store has elements that mean nothing known.
  static let unknownElement = FindingKind(
    "unknown-element", .warning,
    title: "an XML store has elements that mean nothing known",
    meaning:
      "Elements of a Core Data XML store are none that the framework writes. They are "
      + "left out.",
    causes: [
      "A file that another tool has added something to."
    ],
    remedies: [
      "Look into the file whether something is lost."
    ]
  )

  /// An object of an XML store has a property twice.
  static let repeatedProperty = FindingKind(
    "repeated-property", .warning,
    title: "an object has a property twice",
    meaning:
      "An object of a Core Data XML store has the same attribute or relationship more "
      + "than once. Only the first is read.",
    causes: [
      "A file that was edited or merged by hand."
    ],
    remedies: [
      "Look at the object in the file and decide which value is right."
    ]
  )

  /// A queue in a table that holds rows of other entities, too, or in a file of no known layout.
  static let queueNotRead = FindingKind(
    "queue-not-read", .error,
    severityNote: "A warning where a table is only called as a queue.",
    title: "a queue that is not read as one",
    meaning:
      "The app's model puts the operations of the SDK for iOS below another entity, so that they lie "
      + "in that entity's table. Or a table is called as the queue of an SDK, and the file does not "
      + "have the other tables and columns of that SDK's stores. They are read as ordinary rows: no "
      + "audit tells of them, and no replay sends them. In a store of Parse the documents of the objects "
      + "hold the changes that were not saved: where one cannot be read, nobody knows of them.",
    causes: [
      "The entities of the SDK were given a parent in the app's model.",
      "A table of the SDK was lost or changed, or its version is none that is known.",
      "The app has a table of that name for something else.",
      "The file was damaged, and with it documents of Parse.",
    ],
    remedies: [
      "Look at the rows: they name the table and the item of each change that waits.",
      "Look at the documents of Parse in the table rehome_reject of the converted store.",
      "Let the app itself push what waits, where it still can.",
    ]
  )

  /// A one-to-one relationship that only one side knows.
  static let oneSidedReference = FindingKind(
    "one-sided-reference", .note,
    severityNote:
      "A warning where the sides of a relationship in an XML store contradict each other.",
    title: "a relationship that only one side knows",
    meaning:
      "Of two rows that should point to each other, only one does. The other side is filled in "
      + "from it. Where the sides of an XML store contradict each other, the row that has the "
      + "reference counts.",
    causes: [
      "The framework normally writes both sides; a tool or a crash left one out."
    ],
    remedies: [
      "Nothing, unless the relationship looks wrong."
    ]
  )

  /// A partner that several rows claim.
  static let contestedReference = FindingKind(
    "contested-reference", .warning,
    title: "several rows that claim one partner",
    meaning:
      "In a one-to-one relationship several rows point to the same row, which can belong to "
      + "one of them only, or a row points to one that names another. All references are kept as they "
      + "are stored.",
    causes: [
      "A tool, or an app that wrote to the file past its framework, moved the partner to "
        + "another row and left the old reference behind."
    ],
    remedies: [
      "Look at the rows that share the partner and decide which of them has it."
    ]
  )
}
