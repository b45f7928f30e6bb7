import Bytes
import Records

/// What an export says about itself before its tables.
struct ExportOrigin {
  var nameOrigin = NameOrigin.schema
  var layout: String?
  var evidence: [String] = []
  /// The types of the app that are known by table.
  var types: [SourceDescription.Fact] = []
}

/// A table of a document, as far as it is known before its rows.
struct DocumentTable {
  var table: Table
  var part: BookkeepingTable?
  var rows: any ExportRows
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
  func readTail() throws(StoreError) -> (findings: [Finding], hash: String?)
}
