import Bytes
import Records
import TestSupport
import Testing

@testable import Exports

/// What a document has of bookkeeping, and may be very much, comes back from where it was set aside,
/// and from the document itself.
@Suite(.serialized) struct PartsAsideTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ number: Int64) -> JournalLine {
    var line = JournalLine(sequence: number % 7, time: .epoch, event: "applied")
    (line.target, line.detail) = ("https://a", "words \(number)")
    return line
  }

  private func item(_ number: Int64) -> DeviceItem {
    var item = DeviceItem(operation: number, source: Int32(number % 2) + 1)
    item.item = number % 3 == 0 ? nil : Array(#"{"n":\#(number)}"#.utf8)
    return item
  }

  private func reject(_ number: Int64) -> RejectedValue {
    var reject = RejectedValue(
      table: "T", row: number, column: "id", code: "not-utf8",
      raw: .binary([0xFF, UInt8(number % 9)]))
    reject.source = Int32(number % 2) + 1
    return reject
  }

  /// The rows of a part, as they are written.
  private func rows<Record>(
    _ count: Int64, _ fields: [RecordField<Record>], columns: Int,
    _ record: @escaping (Int64) -> Record
  ) -> BatchProducer {
    { (body) throws(StoreError) in
      var batch = RecordBatch(columnCount: columns)
      for number in stride(from: 1, through: count, by: 1) {
        batch.append(record(number), fields, key: number)
        try batch.lendIfFull(to: body)
      }
      try batch.lendRest(to: body)
    }
  }

  /// A document with a table of the app, which has a row, and so many rows in each part that is set
  /// aside.
  private func write(_ format: ExportFormat, count: Int64) throws -> String {
    let path = folder.path("export." + format.rawValue)
    let table = Table(name: "T", columns: [Column(name: "id", type: .text, role: .id)])
    let source = SourceDescription(name: "s", layout: .rehome, evidence: [])
    var document = try DocumentWriter(
      to: ExportOutput(toFileAt: path, replacing: false),
      head: ExportHead(tool: "t", source: source, nameOrigin: .schema), format: format)
    var hash = ContentHash()
    let row: BatchProducer = { (body) throws(StoreError) in
      var batch = RecordBatch(columnCount: 1)
      batch.append(text: "a")
      batch.endRow(key: 1)
      try body(&batch)
    }
    let seal = try document.add(table, as: nil, from: TableRows(.batches(row))) { _ in }
    hash.add(try #require(seal.hash), ofTable: "T")
    for part in BookkeepingTable.allCases where part != .marks {
      let table = part.table(ofSeveral: part == .rejects)
      let columns = table.columns.count
      let producer: BatchProducer =
        switch part {
        case .rejects: rows(count, RejectedValue.fields.ofSeveral(true), columns: columns, reject)
        case .deviceItems: rows(count, DeviceItem.exportedFields, columns: columns, item)
        case .journal: rows(count, JournalLine.fields, columns: columns, line)
        case .operations, .errors, .tokens, .marks: { _ in }
        }
      let seal = try document.add(table, as: part, from: TableRows(.batches(producer))) { _ in }
      hash.add(try #require(seal.hash), of: part)
    }
    try document.finish(ExportTail(files: [], findings: [], hash: hash.digest))
    return path
  }

  @Test(arguments: [ExportFormat.json, .xml], [false, true])
  func recordsComeBackInOrder(format: ExportFormat, isSpooled: Bool) throws {
    let path = try write(format, count: 5000)
    let company = SpoolCompany()
    let others = (0..<(isSpooled ? 0 : 64)).map { _ in RowSpool(among: company) }
    let reader = try DocumentReader(path: path, isXML: format == .xml, spoolsAmong: company)
    #expect(reader.countJournalLines() == 5000)
    for _ in 1...2 {
      var lines: [JournalLine] = []
      try reader.forEachJournalLine { lines.append($0) }
      #expect(lines == (1...5000).map(line))
      var items: [DeviceItem] = []
      try reader.forEachDeviceItem { items.append($0) }
      #expect(items == (1...5000).map(item))
      var rejects: [RejectedValue] = []
      try reader.forEachStoredReject { rejects.append($0) }
      #expect(rejects == (1...5000).map(reject))
      var rows = 0
      try reader.read(0) { rows += $0.rowCount }
      #expect(rows == 1)
    }
    let deliveries = try reader.readQueue().deliveries
    #expect(deliveries[3].map(\.detail) == ["words 4994"])
    _ = others
  }
}
