import Bytes
import Records

extension FindingKind {
  /// A column under an empty name.
  static let columnUnnamed = FindingKind(
    "column-unnamed", .note,
    title: "a column of a plain file without a name",
    meaning:
      "The header of a CSV file has an empty name over a column. The column is called column and its "
      + "number. Columns at the end with neither name nor value are left out.",
    causes: [
      "pandas writes the index of a table without a name; spreadsheets have cells beside the table.",
      "The first line is a title, and the names of the columns stand further down.",
    ],
    remedies: [
      "Give the column a name in the file where it matters.",
      "Take away what stands above the names, where they are not in the first line.",
    ]
  )

  static let columnTypesDiffer = FindingKind(
    "column-types-differ", .note,
    title: "a column that is not the same in all stores",
    meaning:
      "Several stores were converted into one, and a column of this name has another type or "
      + "purpose in some of them. Where one type holds the values of all, the column has that "
      + "type: integer for truth values, real or decimal for whole numbers, otherwise text, in "
      + "the spelling that an export has. A whole number that a real column cannot hold exactly "
      + "is rejected, and kept in rehome_reject. Bytes, references and the columns of the SDK are never "
      + "mixed with values: they get a column of their own, with a number behind the name.",
    causes: [
      "The stores come from different versions of the app, or from different platforms."
    ],
    remedies: [
      "Nothing, as no value is lost. A program that reads the store must expect the "
        + "wider type."
    ]
  )

  /// A computed column has no value that can be read.
  static let computedColumnLeftOut = FindingKind(
    "computed-column-left-out", .note,
    title: "a computed column cannot be read",
    meaning:
      "The expression of a generated column fails for some row, calls a function that is not "
      + "trusted or not there, gives more than an eighth of --max-value-bytes, or takes too many steps: "
      + "some hundred thousand, or a million together with the others of its table. The column is left "
      + "out; what it is computed from is read.",
    causes: [
      "Columns each of which is computed from the one before, named twice: each takes twice the steps.",
      "A function that only the app had registered.",
      "Contents that the expression was not made for.",
    ],
    remedies: [
      "Compute the column anew from the others, if it is needed."
    ]
  )

  /// A virtual table is not read as such.
  static let virtualTableLeftOut = FindingKind(
    "virtual-table-left-out", .note,
    title: "a virtual table is not read as such",
    meaning:
      "The rows of a virtual table are made by a module of SQLite: full-text search, boxes, or one "
      + "that only the app has. No module is run. The rows of full-text tables (fts3, fts4, fts5) "
      + "are taken from their content tables, and boxes (rtree) from their nodes, under the name of "
      + "the virtual table; indexes are left out. In stores of Parse and Couchbase Lite, of which only "
      + "the SDK's tables are read, no rows are taken from them. It is a warning where rows cannot be "
      + "taken, or are not.",
    causes: [
      "The app searches texts or places.",
      "A full-text table without texts of its own, or whose texts are gone, or a module that only "
        + "the app has.",
    ],
    remedies: [
      "Make the index anew in the new store; a full-text index comes from the texts alone.",
      "Where rows are missing, let the app itself export them, or copy the table into a file of its "
        + "own with sqlite3 and convert that.",
    ]
  )

  /// A store whose reader knows only the SDK's tables has others.
  static let tableLeftOut = FindingKind(
    "table-left-out", .warning,
    title: "a table that is none of the SDK's is not read",
    meaning:
      "Parse and Couchbase Lite keep objects and documents in tables of their own, of which those of "
      + "the app are made. The file has another table, with rows. It stays in this file, and comes "
      + "into no export, hash or new store.",
    causes: [
      "The app keeps something of its own in the SDK's file.",
      "Somebody added the table with another tool.",
    ],
    remedies: [
      "Copy the table into a file of its own with sqlite3, and convert that, if its rows matter."
    ]
  )

  /// A canonical store has what its catalogue does not name.
  static let notInCatalogue = FindingKind(
    "not-in-catalogue", .warning,
    title: "a table or column is not in the store's catalogue",
    meaning:
      "A canonical store knows its tables and columns from rehome_table and rehome_column. What was "
      + "added beside them is not read: it stays in this store, and comes into no export, hash or "
      + "new store.",
    causes: ["Somebody added a table or column with another tool."],
    remedies: [
      "Add it to rehome_table and rehome_column, as rehome-store(5) describes them, if it belongs to "
        + "the data.",
      "Keep this file, or take it out with the tool that put it in.",
    ]
  )

  /// The catalogue of a canonical store names what is not there.
  static let notInStore = FindingKind(
    "not-in-store", .error,
    title: "a table or column of the store's catalogue is not there",
    meaning:
      "A canonical store knows its tables and columns from rehome_table and rehome_column. One of "
      + "them is gone, and is left out of what is read; what else is in the store is not.",
    causes: [
      "Somebody took a table or column away, or gave it another name, with another tool.",
      "The description of the tables in the file is damaged.",
    ],
    remedies: [
      "Give it the name that the catalogue has.",
      "Convert the original again.",
    ]
  )

  /// What a store of another kind has no place for.
  static let notCarriedOver = FindingKind(
    "not-carried-over", .warning,
    severityNote:
      "An error where a change would not be sent, unless its table was left out as it was said to be, "
      + "and a note where it can be, or only the form differs.",
    title: "what the new store cannot hold as it was",
    meaning:
      "A store for an app, or rows that are written alone, have no place for something that the input "
      + "has, or hold it in another form. The message says what, and how often.",
    causes: [
      "The SDK for which the store is made keeps less than the one that the data come from.",
      "An operation has lost its row or a value in it, or its table was left out.",
      "A server has got the operation already, in a replay of the input.",
    ],
    remedies: [
      "Look at the operations concerned with 'rehome audit' on the input.",
      "Make a canonical store with 'rehome convert', which has a place for everything.",
    ]
  )

  /// Rows that the rules of a store do not let in.
  static let rowRefused = FindingKind(
    "row-refused", .error,
    title: "rows that the new store refuses",
    meaning:
      "The app's own store has rules that a row breaks, such as an id that must be there and must "
      + "differ from all others. The row is not in the new store, and counts as rejected.",
    causes: [
      "Old stores do not insist on ids, and may hold two rows with one.",
      "The app's new model demands a value that old rows do not have.",
    ],
    remedies: [
      "Rows of a plain file, '--rejects' writes to a file with the rule that each breaks: correct them "
        + "there, and seed again with '--corrected'. Rows for which the one is missing that they must "
        + "refer to (FOREIGN KEY) are not there: correct that one, or the reference in the input.",
      "Find others with 'rehome audit' on the input, or with SQL in a canonical store.",
      "Correct them in a canonical store, or in the plain rows of one table, which 'rehome export "
        + "--to csv --table NAME' writes, and seed again. A whole export has a hash of its rows, and "
        + "is refused once they are changed.",
    ]
  )

  /// Values of a plain file that are not of the type that was given.
  static let formNotAccepted = FindingKind(
    "form-not-accepted", .note,
    title: "values in a form that is not accepted",
    meaning:
      "Values of a plain file are not spelled as their column's type may be. Their cells are empty, "
      + "and the values are in rehome_reject. The message tells which forms are accepted; weeks "
      + "and days of the year, such as 2016-W40-6, never are. Dates with the day or the month first "
      + "and times as numbers are accepted where the type says which they are.",
    causes: [
      "The type was given with --type, and some values are of another kind or spelled otherwise."
    ],
    remedies: [
      "Write the rows with --rejects, correct them, and seed again with --corrected. Where all "
        + "values are of one form, --decimal-comma may say how to read them, or --type with one of "
        + "T.C=excel-date, T.C=day-first, T.C=month-first, T.C=unix-seconds and "
        + "T.C=unix-milliseconds."
    ]
  )

  /// Columns of texts that a person may want as numbers or times.
  static let formNotInferred = FindingKind(
    "form-not-inferred", .note,
    title: "texts of a plain file that can be read as numbers or times",
    meaning:
      "All values of a column have one form, of numbers or of dates with the year at their end, that "
      + "is read as such only where it is asked for: a number would lose the last zero of 12.50, "
      + "12,50 is twelve and a half only to some, and 1/2/2024 is in January or in February. The "
      + "column is text, and each value is as it was.",
    causes: ["Spreadsheets write numbers and dates as their country does."],
    remedies: [
      "Seed again with the options that the message names; where texts are meant, there is nothing to "
        + "do, and --type T.C=text says so."
    ]
  )

  /// Dates, truth words and formulas of texts that were read as such.
  static let valuesRespelled = FindingKind(
    "values-respelled", .note,
    title: "values of a plain file that are spelled otherwise or texts now",
    meaning:
      "All values of a column are dates or times, words for true and false, or numbers of JSON, so "
      + "the column has that type. They are kept in its one spelling: 2016-10-01 is "
      + "2016-10-01T00:00:00.000Z, TRUE or yes is true, and 12.50 is 12.5. A time without an offset "
      + "counts as UTC. Or a file for spreadsheets, which begins with a byte order mark, has fields "
      + "such as =\"007\": a formula by which a spreadsheet keeps the text 007, and which was read as "
      + "that text. Or a column of JSON has values of several kinds, or numbers that no type keeps to "
      + "the last digit, so that all its values are texts; those that were none are counted.",
    causes: [
      "Spreadsheets, databases and programs each spell these in their own way.",
      "A program wrote a number, a truth value, a list or an object where others are texts.",
    ],
    remedies: [
      "Seed with --exact to keep what the file says to the letter, as text, or give a column "
        + "another type with --type, which goes before --exact. Where times are local ones, add the "
        + "offset before."
    ]
  )

  /// Text that is not UTF-8.
  static let invalidText = FindingKind(
    "invalid-text", .warning,
    title: "text that is not UTF-8",
    meaning:
      "The bytes of a text are not valid. The cell is left empty, and the raw bytes are kept. A name "
      + "in the queue that is such a text names nothing, and an operation without the id of its item "
      + "is not sent. What an Azure SDK or Amplify has there stands in base64 behind the raw payload "
      + "of the operation or error; in the table and query of a token, such bytes are spelled as \\xFF, "
      + "as a text that has these letters itself is.",
    causes: [
      "The app stored text in another encoding, or the file was damaged."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store."
    ]
  ) { input, sink in
    input.raiseRejects(.invalidText, &sink)
  }

  /// Values that their type has no room for.
  static let valueOutOfRange = FindingKind(
    "value-out-of-range", .warning,
    title: "values that their type has no room for",
    meaning:
      "A value is of the right type, but has no spelling there: a date beyond the year 9999. "
      + "The cell is left empty, and the raw value is kept.",
    causes: [
      "A wrong unit, such as milliseconds taken for seconds, or a placeholder of the app."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store."
    ]
  ) { input, sink in
    input.raiseRejects(.valueOutOfRange, &sink)
  }

  /// Values that are not of their column's type.
  static let valueOfWrongType = FindingKind(
    "value-of-wrong-type", .warning,
    title: "values that are not of their column's type",
    meaning:
      "A value cannot be read as what its column is for. The row is kept with that cell empty, "
      + "and the raw value goes to rehome_reject. That of an operation or error stands behind its raw "
      + "payload, or is that, as the error of an iOS store that is no JSON is; the key and table of a "
      + "token are spelled in its own query and table.",
    causes: [
      "SQLite lets any value into any column; another tool wrote it, or the model has "
        + "changed since."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store. Where they are of "
        + "another type, say so with --type; of times that are numbers, T.C=unix-seconds and "
        + "T.C=unix-milliseconds say what these count from 1970."
    ]
  ) { input, sink in
    input.raiseRejects(.valueOfWrongType, &sink)
  }
}
