import Records
import Tables

/// Keeps what was found, and in stores of several sources the rows that gave way to others.
///
/// Those may be nearly as many as all rows, so they are not taken apart field by field; what is
/// appended must keep to `CanonicalSchema.mergedRows`.
struct FindingLoad: ~Copyable {
  private var load: BatchLoad
  /// Whether there is a column for the rows.
  private let keepsItems: Bool
  private var count: Int64 = 0

  /// Begins to fill the table of a store that several sources share or one has for itself.
  init(merging: Bool, into file: inout StoreFile) throws(StoreError) {
    let columns = CanonicalSchema.findings.fields.count
    load = try BatchLoad(
      CanonicalSchema.findings.name, columns: merging ? columns + 1 : columns, into: &file)
    keepsItems = merging
  }

  mutating func insert(
    _ finding: Finding, item: [UInt8]? = nil, source: Int32, into file: inout StoreFile
  ) throws(StoreError) {
    count += 1
    load.batch.append(finding, source: source)
    if keepsItems { load.batch.append(item) }
    load.batch.endRow(key: count)
    try load.flushIfFull(&file)
  }

  /// Makes the findings a part of their table.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) { try load.finish(&file) }
}

extension RecordBatch {
  /// Appends the cells of a finding.
  fileprivate mutating func append(_ finding: Finding, source: Int32) {
    append(.integer(Int64(source)))
    append(text: finding.code)
    append(text: finding.severity.rawValue)
    append(text: finding.table)
    append(text: finding.itemID)
    append(finding.operation.map(Cell.integer) ?? .null)
    append(text: finding.message)
  }

  fileprivate mutating func append(_ item: [UInt8]?) {
    guard let item else { return append(.null) }
    appendText(item.span)
  }
}
