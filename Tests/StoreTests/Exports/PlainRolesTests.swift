import Records
import Testing

@testable import Exports

/// Which columns of a plain table are those of an SDK.
struct PlainRolesTests {
  private func roles(_ columns: [(String, LogicalType)], dropped: Set<Int> = []) -> [ColumnRole] {
    var table = Table(name: "t", columns: columns.map { Column(name: $0.0, type: $0.1) })
    table.giveRoles(besides: dropped, named: [])
    return table.columns.map(\.role)
  }

  @Test func rowsWithoutAnIDAreNoItems() {
    let others: [(String, LogicalType)] = [("version", .text), ("updatedAt", .timestamp)]
    #expect(roles([("Id", .text)] + others) == [.id, .version, .updatedAt])
    #expect(roles([("key", .text)] + others) == [.value, .value, .value])
    #expect(roles([("id", .text)] + others, dropped: [0]) == [.value, .value, .value])
  }
}
