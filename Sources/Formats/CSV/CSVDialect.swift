/// How records of fields are written in one file.
package struct CSVDialect: Sendable, Equatable {
  /// What stands between fields.
  package var separator = UInt8(ascii: ",")
  /// Whether odd bytes are escaped with a backslash, as PostgreSQL's `COPY` and MySQL write text;
  /// there are no quotes then, and `\N` is no value.
  package var isEscaped = false
  /// Whether that was found from the beginning of the file alone, so that the rest must bear it out.
  package var isEscapingFound = false
  /// Whether a field `\N` without quotes may be no value, as nobody has said what it is.
  package var mayHaveEscapedNull = false
  /// The texts that mean no value where they stand without quotes; without any, the empty field.
  package var nulls: [[UInt8]] = []
  /// Whether the first line is no record: one like `sep=;`, which Excel reads as the separator, or
  /// `#TYPE` and what the rows were to PowerShell.
  package var hasLeadingLine = false
  /// Whether the first record names the columns.
  package var hasHeader = true
  /// Whether blank lines are rows wherever they stand, as all records have one field and the first one
  /// names no column.
  package var hasBlankRows = false
  /// Which formulas of a text, such as `="007"`, are that text, as they are to a spreadsheet.
  package var formulas = Formulas.none
  /// Whether a NUL may stand in a text.
  var allowsNUL = false
  /// Whether that is taken, too, which says nothing and which programs write all the same: lone CR
  /// as the line end, blank lines, empty fields too many at the end of a record, or too few.
  var isLenient: Bool

  /// As other programs write it: separated by commas unless told otherwise.
  package init(isLenient: Bool = true) {
    self.isLenient = isLenient
  }

  /// As RFC 4180 and this tool write it.
  static let strict = CSVDialect(isLenient: false)

  /// As this tool exports it, whatever the texts hold.
  package static let exported: CSVDialect = {
    var dialect = strict
    dialect.allowsNUL = true
    return dialect
  }()

  /// The separators that are looked for in a file.
  package static let separators = [",", ";", "\t", "|"].map { $0.utf8.first ?? 0 }
}

extension CSVDialect {
  /// Where formulas of texts are taken as these texts.
  package enum Formulas: Sendable {
    case none
    /// Nowhere; in fields without quotes they are texts as they stand.
    case kept
    /// In fields without quotes, where they mean nothing else; only programs write them.
    case plain
    /// In all fields.
    case all
  }
}

/// How the lines of a file end.
package enum CSVLineEnd: String, Sendable {
  case lineFeed = "LF"
  case both = "CR LF"
  case carriageReturn = "CR"
}
