import Bytes
import Canonical
import Foundation
import Records
import SQLite
import TestSupport
import Testing

/// What a store knows besides its rows stands in the columns that bear its names.
struct BookkeepingTests {
  /// Makes a store of what `write` writes, and gives the values of one row by their columns.
  private func row(
    of table: String, merging: Bool = false, _ write: (borrowing StoreLoad) throws -> Void
  ) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.rehome").path
    let load = try StoreLoad(destination: path, replacing: false, merging: merging)
    try load.begin(
      SourceDescription(name: "a", layout: Layout(named: "azure-mobile-ios")),
      catalogue: Catalogue(tables: [], nameOrigin: .schema), at: .now, toolVersion: "test")
    try write(load)
    try load.publish()
    let store = try Connection(opening: path, mode: .immutable)
    let columns = try store.tables().first { $0.name == table }?.columns.map(\.name) ?? []
    var values: [String: String] = [:]
    for column in columns {
      var statement = try store.prepare("SELECT quote(\"\(column)\") FROM \(table)")
      #expect(try statement.step())
      values[column] = statement.text(at: 0)
      #expect(try !statement.step())
    }
    return values
  }

  @Test func operation() throws {
    let values = try row(of: "rehome_operation") { load in
      var operation = PendingOperation()
      operation.sequence = 7
      operation.table = "T"
      operation.itemID = "i"
      operation.kind = .update
      operation.state = .failed
      operation.item = Array("{}".utf8)
      operation.baseVersion = "v"
      operation.rowKey = 8
      operation.rowTable = "R"
      operation.originalID = "o"
      operation.originalCode = "c"
      operation.raw = .binary([1])
      var queue = Queue()
      queue.operations.append(operation)
      try load.write(MatchedQueue(queue))
    }
    #expect(
      values == [
        "sequence": "7", "source": "1", "table": "'T'", "itemId": "'i'", "kind": "'update'",
        "state": "'failed'", "item": "'{}'", "baseVersion": "'v'", "rowKey": "8",
        "rowTable": "'R'", "originalId": "'o'", "originalCode": "'c'", "raw": "X'01'",
      ])
  }

  @Test func error() throws {
    let values = try row(of: "rehome_error") { load in
      var error = OperationError()
      error.table = "T"
      error.itemID = "i"
      error.kind = .delete
      error.status = 412
      error.code = "c"
      error.message = "m"
      error.item = Array("{}".utf8)
      error.serverItem = Array("[]".utf8)
      error.operation = 3
      error.originalID = "o"
      error.originalOperationID = "p"
      error.raw = .text([0xFF])
      var queue = Queue()
      queue.errors.append(error)
      try load.write(MatchedQueue(queue))
    }
    #expect(
      values == [
        "id": "1", "source": "1", "table": "'T'", "itemId": "'i'", "kind": "'delete'",
        "status": "412", "code": "'c'", "message": "'m'", "item": "'{}'", "serverItem": "'[]'",
        "operation": "3", "originalId": "'o'", "originalOperationId": "'p'", "raw": "X'FF'",
      ])
  }

  @Test func token() throws {
    let values = try row(of: "rehome_token") { load in
      var token = DeltaToken()
      token.table = "T"
      token.query = "q"
      token.updatedAt = "2015-01-02T03:04:05.678Z"
      token.raw = "r"
      var queue = Queue()
      queue.tokens = [token]
      try load.write(MatchedQueue(queue))
    }
    #expect(
      values == [
        "id": "1", "source": "1", "table": "'T'", "query": "'q'",
        "updatedAt": "'2015-01-02T03:04:05.678Z'", "raw": "'r'",
      ])
  }

  @Test func mark() throws {
    let values = try row(of: "rehome_mark") { load in
      var queue = Queue()
      let mark = OperationMark(.drop, at: .epoch, who: "w", why: "y")
      queue.marks = OperationMarks([NumberedMark(mark, about: 5)])
      try load.write(MatchedQueue(queue))
    }
    #expect(
      values == [
        "id": "1", "sequence": "5", "mark": "'drop'", "at": "'1970-01-01T00:00:00.000Z'",
        "who": "'w'", "why": "'y'",
      ])
  }

  @Test func deviceItem() throws {
    let values = try row(of: "rehome_device_item") { load in
      var item = DeviceItem(operation: 9, source: 2)
      item.table = "T"
      item.item = Array("{}".utf8)
      item.body = Array("[]".utf8)
      item.updatedAt = "u"
      item.version = "v"
      try load.write([item])
    }
    #expect(
      values == [
        "operation": "9", "table": "'T'", "item": "'{}'", "body": "'[]'", "updatedAt": "'u'",
        "version": "'v'",
      ])
  }

  @Test func journalLine() throws {
    let values = try row(of: "rehome_replay") { load in
      var line = JournalLine(sequence: 4, time: .epoch, event: "sent")
      line.detail = "d"
      line.target = "t"
      line.attempt = 2
      line.status = 201
      line.version = "v"
      try load.write([line])
    }
    #expect(
      values == [
        "id": "1", "sequence": "4", "at": "'1970-01-01T00:00:00.000Z'", "event": "'sent'",
        "detail": "'d'", "target": "'t'", "attempt": "2", "status": "201", "version": "'v'",
      ])
  }

  @Test func finding() throws {
    let values = try row(of: "rehome_finding") { load in
      let finding = Finding("c", .error, table: "T", itemID: "i", operation: 6, message: "m")
      try load.write(findings: [finding], files: [])
    }
    #expect(
      values == [
        "id": "1", "source": "1", "code": "'c'", "severity": "'error'", "table": "'T'",
        "itemId": "'i'", "operation": "6", "message": "'m'",
      ])
  }

  @Test func rowThatGaveWay() throws {
    let values = try row(of: "rehome_finding", merging: true) { load in
      var finding = Finding("c", .note, table: "T", itemID: "i", operation: 6, message: "m")
      finding.source = 3
      try load.write([MergedRow(finding, item: Array("{\"_pk\":1}".utf8))])
    }
    #expect(
      values == [
        "id": "1", "source": "3", "code": "'c'", "severity": "'note'", "table": "'T'",
        "itemId": "'i'", "operation": "6", "message": "'m'", "item": "'{\"_pk\":1}'",
      ])
  }
}
