import Bytes
import Records

/// What an export says about itself before its tables.
struct ExportOrigin {
  var nameOrigin = NameOrigin.schema
  private var evidence: [String] = []
  /// The types of the app that are known by table.
  private var types: [SourceDescription.Fact] = []
  /// The stores from which the export came: those that the exported one was made from, or itself.
  private var earlier: [EarlierSource] = []
  /// Whether one of these is the exported store itself, of whose files a document tells at its end.
  private(set) var isDirect = false

  mutating func add(_ exported: EarlierSource, madeFrom devices: [EarlierSource]) {
    let source = exported.source
    let generation = source.generation.map { " \($0)" } ?? ""
    evidence.append("exported from \(source.name), \(source.layout.rawValue)\(generation)")
    types += source.metadata.filter(\.isType)
    isDirect = devices.isEmpty
    earlier += devices.isEmpty ? [exported] : devices
  }

  /// What the export at a path is, which a sentence says that it was recognised by.
  func source(at path: String, _ layout: Layout, _ sentence: String) -> SourceDescription {
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: layout, evidence: [sentence] + evidence)
    let layouts = Set(earlier.map(\.source.layout.rawValue))
    source.origin = layouts.count == 1 ? layouts.first : nil
    source.metadata = types
    source.earlier = earlier
    return source
  }
}

/// A table of a document, as far as it is known before its rows.
struct DocumentTable {
  var table: Table
  var part: BookkeepingTable?
  var rows: any ExportRows
}

/// What stands behind the tables of a document.
struct ReadTail {
  var findings: Findings
  /// The files of the exported store.
  var files: [SourceFile]
  /// The content hash, which files of one table do not have.
  var hash: String?
}

/// Walks through a document from its start to its end: tables, bookkeeping, tail.
protocol ExportDocument: AnyObject {
  /// Where the reader is, for errors.
  var position: String { get }

  /// What the document says about itself.
  var origin: ExportOrigin { get }

  /// Goes on to the next table, all rows of the one before having been read; nil after the last.
  func nextTable() throws(StoreError) -> DocumentTable?

  /// Reads what stands behind the rows of the current table.
  func endTable() throws(StoreError) -> ExportSeal

  /// Reads what stands behind the last table, to the end of the document.
  func readTail() throws(StoreError) -> ReadTail
}
