import Bytes
import Records
import Testing

@Suite struct TableHashTests {
  private let table = Table(
    name: "Größe",
    columns: [
      Column(name: "a", type: .integer), Column(name: "b", type: .real),
      Column(name: "c", type: .text), Column(name: "d", type: .binary),
    ])

  private func batch(_ rows: [(Int64, Double, String)]) -> RecordBatch {
    var batch = RecordBatch(columnCount: 4)
    for (key, real, text) in rows {
      let bytes = Array(text.utf8)
      batch.append(.integer(key &* 3))
      batch.append(.real(real))
      batch.appendText(bytes.span)
      batch.appendBinary(bytes.span)
      batch.endRow(key: key)
    }
    return batch
  }

  private func digest(_ rows: [(Int64, Double, String)]) -> String {
    var hash = TableHash(of: table)
    hash.update(batch(rows))
    return hash.digest.hexadecimal
  }

  @Test func orderOfRowsDoesNotCount() {
    #expect(digest([(1, 0.5, "x"), (2, 1.5, "y")]) == digest([(2, 1.5, "y"), (1, 0.5, "x")]))
  }

  @Test func batchesDoNotCount() {
    var hash = TableHash(of: table)
    hash.update(batch([(1, 0.5, "x")]))
    hash.update(batch([(2, 1.5, "y")]))
    #expect(hash.digest.hexadecimal == digest([(1, 0.5, "x"), (2, 1.5, "y")]))
  }

  @Test(arguments: [(2, 0.5, "x"), (1, 0.25, "x"), (1, 0.5, "y"), (1, 0.5, "")])
  func everyCellCounts(_ other: (Int64, Double, String)) {
    #expect(digest([other]) != digest([(1, 0.5, "x")]))
  }

  @Test func aRowTwiceIsNotNone() {
    #expect(digest([(1, 0.5, "x"), (1, 0.5, "x")]) != digest([]))
  }

  @Test func zeroHasNoSign() {
    #expect(digest([(1, -0.0, "")]) == digest([(1, 0.0, "")]))
  }

  @Test func namesAndTypesCount() {
    var other = table
    other.columns[2].type = .json
    #expect(TableHash(of: other).digest != TableHash(of: table).digest)
    other = table
    other.name = "Grosse"
    #expect(TableHash(of: other).digest != TableHash(of: table).digest)
  }

  @Test func orderOfTablesDoesNotCount() {
    let (first, second) = (TableHash(of: table).digest, SHA256Digest.ofNothing)
    var left = ContentHash()
    left.add(first, ofTable: "a")
    left.add(second, ofTable: "b")
    var right = ContentHash()
    right.add(second, ofTable: "b")
    right.add(first, ofTable: "a")
    #expect(left.digest == right.digest)
  }

  @Test func rejectsAreNoContent() {
    var hash = ContentHash()
    hash.add(.ofNothing, of: .rejects)
    #expect(hash.digest == ContentHash().digest)
    hash.add(.ofNothing, of: .tokens)
    #expect(hash.digest != ContentHash().digest)
  }
}

extension SHA256Digest {
  fileprivate static var ofNothing: SHA256Digest {
    var hash = SHA256()
    return hash.finish()
  }
}
