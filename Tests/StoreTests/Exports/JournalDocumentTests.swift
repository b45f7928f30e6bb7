import Bytes
import Records
import TestSupport
import Testing

@testable import Exports

/// The journal of a document comes back from where it was set aside, and from the document itself.
@Suite(.serialized) struct JournalDocumentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ number: Int64) -> JournalLine {
    var line = JournalLine(sequence: number % 7, time: .epoch, event: "applied")
    (line.target, line.detail) = ("https://a", "words \(number)")
    return line
  }

  /// A document with a table of the app, which has a row, and a journal with so many lines.
  private func write(_ format: ExportFormat, lines: Int64) throws -> String {
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
    for part in BookkeepingTable.always {
      let none: BatchProducer = { _ in }
      _ = try document.add(part.table, as: part, from: TableRows(.batches(none))) { _ in }
    }
    let journal: BatchProducer = { [self] (body) throws(StoreError) in
      var batch = RecordBatch(columnCount: JournalLine.fields.count)
      for number in 1...lines {
        batch.append(line(number), JournalLine.fields, key: number)
        try batch.lendIfFull(to: body)
      }
      try batch.lendRest(to: body)
    }
    let part = BookkeepingTable.journal
    _ = try document.add(part.table, as: part, from: TableRows(.batches(journal))) { _ in }
    try document.finish(ExportTail(files: [], findings: [], hash: hash.digest))
    return path
  }

  @Test(arguments: [ExportFormat.json, .xml], [false, true])
  func linesComeBackInOrder(format: ExportFormat, isSpooled: Bool) throws {
    let path = try write(format, lines: 5000)
    let company = RowSpool.Company()
    let others = (0..<(isSpooled ? 0 : 64)).map { _ in RowSpool(among: company) }
    let reader = try DocumentReader(path: path, isXML: format == .xml, spoolsAmong: company)
    #expect(reader.countJournalLines() == 5000)
    for _ in 1...2 {
      var lines: [JournalLine] = []
      try reader.forEachJournalLine { lines.append($0) }
      #expect(lines == (1...5000).map(line))
      var rows = 0
      try reader.read(0) { rows += $0.rowCount }
      #expect(rows == 1)
    }
    let deliveries = try reader.readQueue().deliveries
    #expect(deliveries[3].map(\.detail) == ["words 4994"])
    _ = others
  }
}
