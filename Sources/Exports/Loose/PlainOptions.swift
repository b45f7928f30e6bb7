package import Formats

/// What a person says about plain files; what is not said is found out.
package struct PlainOptions: Sendable, Equatable {
  /// The format; nil where the content tells it.
  package var format: PlainFormat?
  /// Whether odd bytes are escaped with a backslash, as in text of PostgreSQL's `COPY`.
  package var isEscaped: Bool?
  /// What stands between the fields of CSV.
  package var separator: UInt8?
  /// How the characters of CSV are written.
  package var encoding: TextEncoding?
  /// The texts that mean no value in CSV; without any, the empty field.
  package var nulls: [String] = []
  /// Whether the first record of CSV names the columns.
  package var hasHeader: Bool?
  /// Whether numbers of CSV have a comma before their fraction, and points between thousands.
  package var hasDecimalComma = false
  /// Which formulas of texts in CSV are these texts; nil where a byte order mark tells.
  var formulas: CSVDialect.Formulas?
  /// Whether a type is taken only where each value comes back to the same text.
  package var isExact = false
  /// The name of the table in a file of one table; nil for that of the file.
  package var tableName: String?
  /// Whether they are said of several inputs, those of which that are no plain files stay what they
  /// are.
  package var areForSeveral = false
  /// Whether the file has no name, because it comes from standard input or a pipe.
  package var isUnnamed = false
  /// Whether they are those of a file of corrections, in which nothing but texts is escaped.
  private(set) var isOfCorrections = false

  /// Whether something is said that only CSV has.
  package var isAboutCSV: Bool {
    separator != nil || encoding != nil || !nulls.isEmpty || hasDecimalComma || hasHeader != nil
  }

  /// Whether what is known for no plain file is read as what it is.
  package var mayMeanNoPlainFile: Bool { format == nil || areForSeveral }

  /// Nothing is said.
  package init() {}

  /// What the table of a file is called that says nothing itself.
  package func name(ofFileAt path: String) -> String {
    tableName ?? (isUnnamed ? "rows" : ExportFile.tableName(of: path))
  }

  /// What holds for a file of corrections: it is as this tool wrote it, or as an editor left it, and the
  /// same text means the same as in the input.
  func forCorrections(of base: PlainFile) -> PlainOptions {
    var options = PlainOptions()
    options.hasHeader = true
    options.hasDecimalComma = hasDecimalComma
    options.isExact = isExact
    options.formulas = base.formulas
    options.isOfCorrections = true
    return options
  }
}
