import Bytes
import Records
import SQLiteFile

/// Carries out what a store that is being built is told.
struct StoreBuilder: ~Copyable {
  private let site: LoadSite
  private var writer: CanonicalWriter
  var tables: LoadedTables

  init(
    _ site: LoadSite, _ writer: consuming CanonicalWriter, _ tables: consuming LoadedTables
  ) {
    self.site = site
    self.writer = writer
    self.tables = tables
  }

  mutating func take(_ step: LoadStep) throws(StoreError) {
    switch step {
    case .begin(let source, let catalogue, let time, let toolVersion):
      try writer.begin(source, catalogue: catalogue, at: time, toolVersion: toolVersion)
    case .beginTable(let table): try tables.begin(table, &writer)
    case .insert(let batch, let cells):
      try tables.insert(batch, encodedAs: cells, &writer)
      site.keep(batch, cells)
    case .endTable(let count, let lost, let merged):
      try tables.end(counted: count, lost: lost, merged: merged, &writer)
    case .insertOperations(let batch, let cells):
      try writer.insert(operations: batch, encodedAs: cells)
      site.keep(batch, cells)
    case .writeRest(let queue): try writer.writeRest(of: queue)
    case .writeDeviceItems(let items): try writer.write(items)
    case .writeJournal(let lines): try writer.write(lines)
    case .writeRejects(let rejects): try writer.write(rejects)
    case .writeMerged(let rows): try writer.write(rows)
    case .writeFindings(let findings, let files):
      try writer.write(findings: findings, files: files)
    case .follow, .tellBalances, .publish:
      throw StoreError(.internalError, "only who loads the whole store may ask for this")
    }
  }

  consuming func publish() throws(StoreError) {
    try tables.finish(&writer)
    try writer.publish()
  }
}

/// What a store that is being built shall do next, on its way to the thread that builds it.
enum LoadStep: Sendable {
  case begin(SourceDescription, Catalogue, Timestamp, toolVersion: String)
  case beginTable(Table)
  case insert(RecordBatch, encodedAs: RowCells?)
  case endTable(counted: Int, lost: Int, merged: Int)
  case insertOperations(RecordBatch, encodedAs: RowCells)
  case writeRest(of: Queue)
  case writeDeviceItems([DeviceItem])
  case writeJournal([JournalLine])
  case writeRejects([RejectedValue])
  case writeMerged([MergedRow])
  case writeFindings(Findings, [SourceFile])
  /// Take what somebody else gives, up to its end.
  case follow(LoadSteps)
  case tellBalances
  case publish
}

extension LoadStep {
  /// How many bytes it takes while it waits, about.
  var size: Int {
    switch self {
    case .insert(let batch, let cells): batch.size + (cells?.size ?? 0)
    case .insertOperations(let batch, let cells): batch.size + cells.size
    case .writeDeviceItems(let items): items.reduce(0) { $0 + $1.size }
    case .writeMerged(let rows): rows.reduce(0) { $0 + ($1.item?.count ?? 0) + 1024 }
    case .writeRejects(let rejects): rejects.reduce(0) { $0 + ($1.raw?.size ?? 0) + 256 }
    case .begin, .beginTable, .endTable, .writeRest, .writeJournal, .writeFindings, .follow,
      .tellBalances, .publish:
      0
    }
  }
}

extension RecordBatch {
  fileprivate var size: Int { arena.count + cells.count * MemoryLayout<Cell>.stride }
}

extension DeviceItem {
  fileprivate var size: Int { (item?.count ?? 0) + (body?.count ?? 0) + 256 }
}
