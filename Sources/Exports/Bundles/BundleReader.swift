import Bytes
import Formats
package import Records

/// Reads an export that is a folder with a manifest.
///
/// Each file's size, hash, count of rows and content hash are checked when it is read.
package final class BundleReader: ExportReader {
  package var source: SourceDescription
  package let catalogue: Catalogue
  package let findings: Findings
  private let folder: String
  private let manifest: ExportManifest
  private let stamps: [FileStamp?]
  /// The files that were read to their end and are what the manifest says.
  private var checkedFiles: Set<String> = []

  /// Reads the manifest and checks that it agrees with itself.
  ///
  /// - Throws: `StoreError` when it is missing, damaged or names files outside the folder, and
  ///   when a file is missing or is no plain one.
  package init(folder: String) throws(StoreError) {
    self.folder = folder
    let manifest = try ExportManifest(path: Paths.join(folder, "manifest.json"))
    self.manifest = manifest
    source = manifest.origin.source(
      at: folder, .bundle, "a manifest of format 1, with \(manifest.format.rawValue) files")
    findings = manifest.findings.withoutRejects
    catalogue = Catalogue(
      tables: manifest.tables.map(\.table), nameOrigin: manifest.origin.nameOrigin)
    let paths = Self.paths(folder, manifest)
    // All at once, before any file is hashed: a link could lead to one that never ends.
    for path in paths { try ExportFile.checkMember(path) }
    stamps = paths.map(FileStamp.init(of:))
  }

  private static func paths(_ folder: String, _ manifest: ExportManifest) -> [String] {
    let members = manifest.tables + manifest.parts.map(\.member)
    return ["manifest.json"].map { Paths.join(folder, $0) }
      + members.map { Paths.join(folder, $0.file) }
  }

  package var inputFiles: [String] { Self.paths(folder, manifest) }

  /// The names of the files of the bundle that a manifest describes; nil where it is damaged.
  package static func files(ofManifest path: String) -> Set<String>? {
    // Whoever reads the bundle tells what is wrong with it.
    guard let manifest = try? ExportManifest(path: path) else { return nil }
    return Set(paths("", manifest))
  }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    stamps == inputFiles.map(FileStamp.init(of:))
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    manifest.tables[table].seal.rows
  }

  package func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) { try read(manifest.tables[table], body) }

  package func examineRows() throws(StoreError) -> [Finding] {
    for member in manifest.tables + manifest.parts.map(\.member)
    where !checkedFiles.contains(member.file) {
      try read(member) { (_) throws(StoreError) in }
    }
    return try findingsOfRejects()
  }

  package func readQueue() throws(StoreError) -> Queue {
    var content = ExportQueue()
    for (part, member) in manifest.parts where part != .rejects && part != .journal {
      try read(member) { (batch) throws(StoreError) in content.add(batch, of: part) }
    }
    return try queue(content, of: folder)
  }

  package func countJournalLines() -> Int {
    manifest.parts.first { $0.part == .journal }?.member.seal.rows ?? 0
  }

  package func forEachBatch(
    of wanted: BookkeepingTable, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    for (part, member) in manifest.parts where part == wanted { try read(member, body) }
  }

  /// Lends the rows of a file, and checks at its end that it was what the manifest says.
  private func read(
    _ member: ExportMember, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let path = Paths.join(folder, member.file)
    let stream = try ExportFile.openMember(path)
    var tally = ReadTally(of: member.table)
    let (rows, document) = try open(member, path, stream)
    try rows.forEachBatch(columns: member.table.columns.count, &tally, path: path, body)
    let position = rows.position
    if let document {
      let seal = try document.endTable()
      try tally.check(
        seal, of: member.table, at: position, path: path,
        hint: isOfApp(member) ? ReadTally.hintOfDocuments : nil)
      _ = try document.readTail()
    }
    if let rows = rows as? JSONRowReader, manifest.format == .json { try rows.expectEnd() }
    do {
      try tally.check(member.seal, of: member.table, at: position, path: path)
      try member.check(stream, path: path)
    } catch {
      throw named(error, as: member)
    }
    checkedFiles.insert(member.file)
  }

  /// What is wrong with a file of the bundle, of which a person may have changed the rows of the app.
  private func named(_ error: StoreError, as member: ExportMember) -> StoreError {
    guard error.kind == .damaged, error.hint == nil, isOfApp(member) else { return error }
    return StoreError(
      error.kind, path: error.path, error.message,
      hint: "a file that was changed on purpose is read by itself: name it in place of the bundle; "
        + "its rows alone are read then, without the other tables and the queue")
  }

  /// Whether it has rows of the app, and not of the queue.
  private func isOfApp(_ member: ExportMember) -> Bool {
    !manifest.parts.contains { $0.member.file == member.file }
  }

  /// Takes the byte order mark away with which files for spreadsheets begin.
  private func dropMark(of stream: ByteStream, _ path: String) throws(StoreError) {
    let isThere: Bool
    do {
      isThere = try stream.drop(prefix: byteOrderMark)
    } catch {
      throw StoreError(error, in: path)
    }
    guard isThere else {
      throw StoreError(.damaged, path: path, "it does not begin with the byte order mark of UTF-8")
    }
  }

  private func open(
    _ member: ExportMember, _ path: String, _ stream: ByteStream
  ) throws(StoreError) -> (any ExportRows, XMLExportDocument?) {
    let table = member.table
    switch manifest.format {
    case .csv:
      var dialect = CSVDialect.exported
      var textStart = 0
      if manifest.style == .spreadsheet {
        try dropMark(of: stream, path)
        dialect.formulas = .all
        textStart = byteOrderMark.count
      }
      let rows = try CSVRowReader(
        path: path, reader: CSVReader(stream, dialect, textStart: textStart), table: table,
        style: manifest.style)
      return (rows, nil)
    case .ndjson:
      let tokens = JSONTokens(path: path, stream: stream, framing: .fullLines)
      let walk = JSONForm.lines.walk
      return (JSONRowReader(tokens, walk, table: table, leading: 1, rule: .canonical), nil)
    case .json:
      let tokens = JSONTokens(path: path, stream: stream)
      try tokens.expect(.beginArray, "the array of the rows")
      let walk = JSONRowWalk(insideArray: ())
      return (JSONRowReader(tokens, walk, table: table, leading: 1, rule: .canonical), nil)
    case .xml:
      let document = try XMLExportDocument(path: path, stream: stream)
      guard document.isTable, let found = try document.nextTable(),
        found.table.columns == table.columns, hasSameBytes(found.table.name, table.name)
      else {
        throw StoreError(
          .damaged, path: path, "the file holds another table than the manifest says (line 1)")
      }
      return (found.rows, document)
    }
  }
}
