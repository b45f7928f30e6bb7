import Bytes
import Records

/// Rows of a plain file, of which some are replaced by the corrected ones of another file.
final class CorrectedRows: ExportRows {
  private let base: any ExportRows
  private let corrections: any ExportRows
  private let path: String
  private var corrected: RecordBatch
  private var cursor: RejectCursor
  private var row = 0
  private var hasMore = true

  /// Both have their rows in the order of their keys; `path` is that of the corrections.
  init(
    _ base: any ExportRows, with corrections: any ExportRows, from path: String, columns: Int
  ) {
    self.base = base
    self.corrections = corrections
    self.path = path
    corrected = RecordBatch(columnCount: columns)
    cursor = RejectCursor(corrected)
  }

  var position: String { base.position }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    let hasMoreRows = try base.fill(&batch)
    if let next = try nextKey(), let last = batch.keys.last, next <= last {
      try replaceRows(of: &batch)
    }
    if !hasMoreRows, let key = try nextKey() { throw unknown(key) }
    return hasMoreRows
  }

  /// The key of the next correction; nil when there are no more.
  private func nextKey() throws(StoreError) -> Int64? {
    while row >= corrected.rowCount {
      guard hasMore else { return nil }
      corrected.removeAll()
      hasMore = try corrections.fill(&corrected)
      cursor = RejectCursor(corrected)
      row = 0
    }
    return corrected.keys[row]
  }

  private func replaceRows(of batch: inout RecordBatch) throws(StoreError) {
    var merged = RecordBatch(columnCount: batch.columnCount)
    var rejects = RejectCursor(batch)
    for (place, key) in batch.keys.enumerated() {
      guard let next = try nextKey(), next <= key else {
        merged.append(row: place, of: batch, rejects: rejects.rejects(ofRow: place))
        continue
      }
      guard next == key else { throw unknown(next) }
      merged.append(row: row, of: corrected, rejects: cursor.rejects(ofRow: row))
      row += 1
    }
    batch = merged
  }

  private func unknown(_ key: Int64) -> StoreError {
    StoreError(
      .damaged, path: path,
      "it corrects the row \(key), which the input does not have (at \(corrections.position))",
      hint: "leave the _pk of each corrected row as it was")
  }
}
