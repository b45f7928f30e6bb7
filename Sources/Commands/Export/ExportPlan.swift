import Bytes
import CommandLineKit
import Exports
import Records

/// What an export writes, in which form, and where.
struct ExportPlan {
  enum Form: String {
    /// The rows of one table and nothing else.
    case rows
    /// Everything in one file or stream.
    case document
    case bundle
  }

  let format: ExportFormat
  let form: Form
  /// The file or folder; nil for standard output.
  let output: String?
  /// The places of the chosen tables in the catalogue.
  let tables: [Int]
  /// For whom CSV is written.
  let style: CSVStyle
  let schema: String

  init(_ arguments: ParsedArguments, catalogue: Catalogue) throws(StoreError) {
    guard let format = arguments.value("to").flatMap({ ExportFormat(rawValue: $0.text) }) else {
      throw StoreError(.usage, "--to takes json, ndjson, csv, xml or postgresql")
    }
    let path = arguments.value("output")?.text ?? "-"
    let output = path == "-" ? nil : path
    try Self.check(output, format)
    let tables = try TableSelection(arguments).indices(in: catalogue)
    let hasChosen = !arguments.values("table").isEmpty
    form = Self.form(of: format, output: output, isOneTable: hasChosen && tables.count == 1)
    if form == .rows, tables.count != 1 {
      throw StoreError(
        tablesForOneStream: tables.map { catalogue.tables[$0].name }, format)
    }
    try Self.checkWidths(of: tables.map { catalogue.tables[$0] }, format)
    style = try Self.style(arguments, format)
    schema = arguments.value("schema")?.text ?? "rehome"
    if format != .postgresql, arguments.value("schema") != nil {
      throw StoreError(.usage, "--schema is for PostgreSQL, not for \(format.title)")
    }
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.hasPrefix("pg_") else {
      throw StoreError(
        .usage, "a schema has a name of 1 to 63 bytes that does not begin with pg_")
    }
    if form == .bundle, !format.hasBundles {
      throw StoreError(
        .usage, "a script for PostgreSQL is one file, and no folder",
        hint: "name it, as in -o store.sql")
    }
    if form == .bundle, let output, ExportOutput.isPacked(output) {
      throw StoreError(
        .usage, "a bundle is a folder, which .gz cannot pack",
        hint: "choose one table with --table, or name a single file ending in "
          + ".\(format.rawValue).gz")
    }
    if form == .bundle, let output, Paths.isPlainFile(output) {
      throw StoreError(
        .exists, path: output, "a bundle is a folder, and a file stands there",
        hint: (format.hasDocuments
          ? "name a single file ending in .\(format.ending)" : "choose one table with --table")
          + ", or give another name")
    }
    self.format = format
    self.output = output
    self.tables = tables
  }

  /// Refuses a table that has more columns than the format takes.
  private static func checkWidths(
    of tables: [Table], _ format: ExportFormat
  ) throws(StoreError) {
    guard let most = format.mostColumns,
      let wide = tables.first(where: { $0.columns.count > most })
    else { return }
    throw StoreError(
      .unsupported,
      "the table \(wide.name) has \(wide.columns.count) columns; with _pk \(format.title) takes "
        + "\(most) besides it", hint: "leave it out with --exclude-table")
  }

  private static func style(
    _ arguments: ParsedArguments, _ format: ExportFormat
  ) throws(StoreError) -> CSVStyle {
    let isForSpreadsheet = arguments.flag("for")
    guard isForSpreadsheet || arguments.flag("csv-safe") else { return .plain }
    guard format == .csv else {
      let option = isForSpreadsheet ? "--for excel" : "--csv-safe"
      throw StoreError(
        .usage, "\(option) is for CSV, not for \(format.title)",
        hint: "--to csv writes what spreadsheets read")
    }
    return isForSpreadsheet ? .spreadsheet : .safe
  }

  /// Refuses a name that says another format than the one that would be in it.
  private static func check(
    _ output: String?, _ format: ExportFormat
  ) throws(StoreError) {
    guard let output, output.utf8.last != UInt8(ascii: "/"), !Paths.isDirectory(output) else {
      return
    }
    guard let kind = NamedKind(of: output), kind.format != format else { return }
    let own = kind.renamed(
      output, endingIn: "." + format.ending + (kind.ending.hasSuffix(".gz") ? ".gz" : ""))
    throw StoreError(
      .usage,
      "--to \(format.rawValue) writes \(format.title), and \(output) is called as \(kind.title) is",
      hint: (kind.format.map { "--to \($0.rawValue), or " } ?? "") + "-o \(quotedForShell(own))")
  }

  private static func form(of format: ExportFormat, output: String?, isOneTable: Bool) -> Form {
    let single = format.hasDocuments ? Form.document : .rows
    guard let output else { return single }
    if output.utf8.last == UInt8(ascii: "/") || Paths.isDirectory(output) { return .bundle }
    let isNamedAsFile = ExportFormat.named(by: output)?.format == format
    let takesAnyName = !format.hasBundles || isOneTable && !format.hasDocuments
    return isNamedAsFile || takesAnyName ? single : .bundle
  }
}

extension StoreError {
  /// Tells that plain rows are of one table, and what to do instead.
  fileprivate init(tablesForOneStream names: [String], _ format: ExportFormat) {
    guard !names.isEmpty else {
      self.init(.usage, "no table is left to export")
      return
    }
    self.init(
      .usage, "a single file or stream of \(format.title) takes one table",
      hint:
        "choose one with --table (\(KnownNames.list(names))), write a bundle with -o FOLDER, or "
        + "use json or xml"
    )
  }
}
