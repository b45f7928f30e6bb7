import Bytes
import CommandLineKit
import Records
import Writers

/// What an export writes, in which form, and where.
struct ExportPlan {
  /// The forms of an export.
  enum Form: String {
    /// The rows of one table and nothing else.
    case rows
    /// Everything in one file or stream.
    case document
    /// A folder.
    case bundle
  }

  let format: ExportFormat
  let form: Form
  /// The file or folder; nil for standard output.
  let output: String?
  /// The places of the chosen tables in the catalogue.
  let tables: [Int]
  /// Whether CSV guards against formulas.
  let isSafe: Bool
  /// The schema that a script makes.
  let schema: String

  /// Decides from the arguments and the tables of the store.
  ///
  /// - Throws: `StoreError` when they do not go together.
  init(_ arguments: ParsedArguments, catalogue: Catalogue) throws(StoreError) {
    guard let format = arguments.value("to").flatMap({ ExportFormat(rawValue: $0.text) }) else {
      throw StoreError(.usage, "--to takes json, ndjson, csv, xml or postgresql")
    }
    let path = arguments.value("output")?.text ?? "-"
    let output = path == "-" ? nil : path
    let tables = try TableSelection(arguments).indices(in: catalogue)
    let hasChosen = !arguments.values("table").isEmpty
    form = Self.form(of: format, output: output, isOneTable: hasChosen && tables.count == 1)
    if form == .rows, tables.count != 1 {
      throw StoreError(
        tablesForOneStream: tables.map { catalogue.tables[$0].name }, format)
    }
    isSafe = arguments.flag("csv-safe")
    if isSafe, format != .csv {
      throw StoreError(.usage, "--csv-safe is for CSV, not for \(format.title)")
    }
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
    self.format = format
    self.output = output
    self.tables = tables
  }

  private static func form(of format: ExportFormat, output: String?, isOneTable: Bool) -> Form {
    let single = format.hasDocuments ? Form.document : .rows
    guard let output else { return single }
    if output.utf8.last == UInt8(ascii: "/") || Paths.isDirectory(output) { return .bundle }
    let name = output.lowercased()
    let isNamedAsFile = ["", ".gz"].contains { name.hasSuffix(".\(format.ending)\($0)") }
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
    let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " …" : "")
    self.init(
      .usage, "a single file or stream of \(format.title) takes one table",
      hint: "choose one with --table (\(shown)), write a bundle with -o FOLDER, or use json or xml")
  }
}
