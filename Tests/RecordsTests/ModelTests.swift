import Bytes
import Records
import Testing

struct ModelTests {
  @Test(arguments: LogicalType.allCases) func everyTypeHasAStrictStorageName(type: LogicalType) {
    let names: [CellKind: String] = [
      .integer: "INTEGER", .real: "REAL", .text: "TEXT", .binary: "BLOB",
    ]
    #expect(type.storageName == names[type.cellKind])
  }

  @Test func severitiesAreOrdered() {
    #expect([Severity.error, .note, .warning].sorted() == [.note, .warning, .error])
  }

  @Test func queueCountsByKindAndLeavesOutTheUndecodable() {
    let kinds: [OperationKind?] = [.insert, .delete, nil, .insert]
    var queue = Queue()
    for kind in kinds {
      var operation = PendingOperation()
      operation.kind = kind
      queue.operations.append(operation)
    }
    #expect(OperationKind.allCases.map { queue.count(of: $0) } == [2, 0, 1])
  }

  @Test func catalogueFindsTablesByExactNameOnly() {
    let catalogue = Catalogue(
      tables: [Table(name: "a", columns: []), Table(name: "B", columns: [])], nameOrigin: .schema)
    #expect(catalogue.index(ofTable: "B") == 1)
    #expect(catalogue.index(ofTable: "b") == nil)
  }

  @Test func sourceNamesDefaultToTheName() {
    let column = Column(name: "x", type: .text)
    #expect([column.sourceName, column.sourceColumn] == ["x", "x"])
    let table = Table(name: "t", columns: [column, Column(name: "v", type: .text, role: .version)])
    #expect([table.sourceName, table.sourceTable] == ["t", "t"])
    #expect(table.index(of: .version) == 1)
    #expect(table.index(of: .id) == nil)
  }

  @Test func contextStandsInFrontAndTheCauseStays() {
    let cause = StoreError(.damaged, path: "/a", "page 3 is torn", hint: "copy it again")
    let error = StoreError(cause, context: "the queue cannot be read")
    #expect(error.message == "the queue cannot be read: page 3 is torn")
    #expect(error.kind == .damaged)
    #expect(error.hint == "copy it again")
    #expect(error.description == "/a: the queue cannot be read: page 3 is torn")
    #expect(StoreError(cause, path: "/b").path == "/b")
    #expect(throws: error) {
      try storeErrors("the queue cannot be read") { () throws(StoreError) in throw cause }
    }
  }
}
