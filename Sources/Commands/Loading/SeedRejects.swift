import Bytes
import CommandLineKit
import Exports
import Records

/// Where a seed puts the rows in which a value was rejected or that its store does not let in: a file,
/// or one for each input; the pages of a table are one.
///
/// It owns open files, so it has identity.
final class SeedRejects {
  private let path: String
  private let isFolder: Bool
  private let isReplacing: Bool
  /// Where the rejects of each plain input go.
  private var places: [String] = []
  private var files: [RejectFile] = []

  /// Reads `--rejects`; nil where it was not given.
  init?(_ session: Session, readers: [any StoreReader]) throws(StoreError) {
    guard let path = session.arguments.value("rejects")?.text else { return nil }
    self.path = path
    isFolder = readers.count > 1 || Paths.isDirectory(path)
    isReplacing = session.isReplacing
    guard !isFolder || Paths.isDirectory(path) else {
      throw StoreError(
        .usage, path: path, "with several inputs, --rejects takes a folder that exists",
        hint: "make the folder; each input with rejects gets a file of its own name in it")
    }
    if isFolder {
      try session.check(session.outputs.adding(readers.compactMap(place(of:)), of: "rejects"))
    }
    for reader in readers {
      guard let place = place(of: reader) else { continue }
      try Self.checkNames(of: reader)
      if !isFolder { try Self.check(place, reader) }
      try storeErrors { () throws(FileError) in
        try StagedFile.check(place, replacing: isReplacing)
      }
      places.append(place)
    }
  }

  func add(
    _ batch: borrowing RecordBatch, of table: Table, from reader: any StoreReader
  ) throws(StoreError) {
    guard
      !batch.rejects.isEmpty || !batch.refusals.isEmpty
        || reader.plainFiles?.correctedKeys.isEmpty == false,
      let place = place(of: reader), let format = reader.plainFormat
    else { return }
    let whole = reader.plainFiles?.batchWithRepeats
    if let source = reader.referencing, let index = source.catalogue.index(ofTable: table.name),
      source.hasLinks(inTable: index)
    {
      // What is corrected and read again names rows by their ids.
      var original = whole ?? source.unresolved
      original.addMissing(from: batch)
      return try add(original, of: source.base.catalogue.tables[index], to: place, format, reader)
    }
    if var whole {
      whole.addMissing(from: batch)
      return try add(whole, of: table, to: place, format, reader)
    }
    try add(batch, of: table, to: place, format, reader)
  }

  private func add(
    _ batch: borrowing RecordBatch, of table: Table, to place: String, _ format: ExportFormat,
    _ reader: any StoreReader
  ) throws(StoreError) {
    guard let plain = reader.plainFiles, let index = reader.catalogue.index(ofTable: table.name)
    else { return }
    if files.last?.path != place {
      files.append(
        try RejectFile(
          path: place, format: format, namesTables: plain.namesTables, replacing: isReplacing))
    }
    try files.last?.add(
      batch, corrected: plain.correctedKeys, of: table, spelled: plain.spelling(ofTable: index),
      called: plain.rowName(ofTable: index))
  }

  /// Publishes all files, or none where no value was rejected: what was corrected before stands in
  /// the files of which it was read.
  ///
  /// - Returns: what was written, and what an earlier run wrote that stands there still: a person may
  ///   have corrected it since.
  func finish() throws(StoreError) -> RejectReport {
    if !files.contains(where: { $0.rows > 0 }) { files = [] }
    for file in files { try file.finish() }
    let written = Set(files.map(\.path))
    return RejectReport(
      path: path, areOfPlainFiles: !places.isEmpty,
      files: files.map {
        .init(
          path: $0.path, rows: $0.rows, refused: $0.refusedRows, corrected: $0.correctedRows)
      },
      earlier: places.filter { !written.contains($0) && Paths.exists($0) })
  }

  static func fileName(forInput path: String) -> String {
    let name = Paths.fileName(of: path)
    return name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
  }

  /// Where the rejects of an input go; nil for one that is no plain file.
  private func place(of reader: any StoreReader) -> String? {
    guard reader.plainFormat != nil else { return nil }
    return isFolder ? Paths.join(path, Self.fileName(forInput: reader.source.name)) : path
  }

  /// Refuses a name that says another format than that of the input, in which the rows are written.
  private static func check(_ path: String, _ reader: any StoreReader) throws(StoreError) {
    let json: [ExportFormat?] = [.json, .ndjson]
    guard let kind = NamedKind(of: path), let format = reader.plainFormat, kind.format != format,
      !(json.contains(format) && json.contains(kind.format))
    else { return }
    throw StoreError(
      .usage,
      "--rejects writes \(format.title) as the input is, and \(path) is called as \(kind.title) is",
      hint: "--rejects "
        + quotedForShell(kind.renamed(path, endingIn: "." + format.ending)))
  }

  /// Throws when the columns leave no room for the key and the reason.
  private static func checkNames(of reader: any StoreReader) throws(StoreError) {
    for table in reader.catalogue.tables {
      for column in table.columns where ["_pk", RejectColumn.name].contains(column.sourceName) {
        throw StoreError(
          .usage, path: reader.inputFiles.first,
          "--rejects needs the name \(column.sourceName), which is a column of \(table.name)",
          hint: "give the column another name")
      }
    }
  }
}

/// What was written of a seed's rejects.
struct RejectReport: Sendable {
  struct File: Sendable {
    let path: String
    let rows: Int
    /// How many of these rows the store does not let in, although it could take all of their values.
    let refused: Int
    /// How many rows of it were corrected before.
    let corrected: Int

    /// The rows that it has, in words.
    fileprivate var contents: String {
      let withValues = rows - refused
      let parts = [
        withValues > 0 ? "\(withValues.counted("row", "rows")) with rejected values" : nil,
        refused > 0 ? "\(refused.counted("row", "rows")) that the store refuses" : nil,
        corrected > 0 ? "\(corrected.grouped) corrected before" : nil,
      ]
      return parts.compactMap(\.self).joined(separator: ", and ")
    }
  }

  let path: String
  /// Whether any input is a plain file; of others a store keeps what was rejected.
  let areOfPlainFiles: Bool
  let files: [File]
  /// Files of an earlier run for inputs without rejects in this one.
  let earlier: [String]

  var lines: [String] {
    let stale = earlier.map {
      "no value was rejected for \(escapedAsOneWord($0)), which is older: remove it, unless it is "
        + "corrected by hand"
    }
    guard !files.isEmpty else {
      let reason =
        areOfPlainFiles ? "no value was rejected" : "--rejects takes rows of plain files alone"
      return stale.isEmpty ? ["\(reason); \(escapedAsOneWord(path)) is not written"] : stale
    }
    let told = files.map { "\($0.contents): \(escapedAsOneWord($0.path))" }
    let way =
      "correct them and seed again with --corrected \(escapedAsOneWord(quotedForShell(path)))"
    return told + [way] + stale
  }

  /// The files for a program.
  var json: ReportJSON {
    .array(
      files.map {
        [
          "file": .string($0.path), "rows": ReportJSON($0.rows),
          "corrected": ReportJSON($0.corrected),
        ]
      })
  }
}

extension StoreReader {
  /// The format of a plain file; nil for what is none.
  var plainFormat: ExportFormat? { ExportFormat(rawValue: source.layout.rawValue) }
}

extension RecordBatch {
  /// Adds what came later to a batch of the same rows: references to no row, and what a store cannot
  /// take or does not let in.
  fileprivate mutating func addMissing(from own: borrowing RecordBatch) {
    guard !own.rejects.isEmpty || !own.refusals.isEmpty else { return }
    let rows = Dictionary(keepingFirst: zip(keys, keys.indices))
    let known = Set(rejects.map { $0.row * columnCount + $0.column })
    let ownKeys = own.keys
    let missing = own.rejects.compactMap { reject in
      rows[ownKeys[reject.row]].map { row in
        CellReject(row: row, column: reject.column, code: reject.code, raw: reject.raw)
      }
    }
    addRejects(
      missing.filter { !known.contains($0.row * columnCount + $0.column) }, keepingCells: true)
    addRefusals(
      own.refusals.compactMap { refusal in
        rows[ownKeys[refusal.row]].map { RowRefusal(row: $0, reason: refusal.reason) }
      })
  }
}
