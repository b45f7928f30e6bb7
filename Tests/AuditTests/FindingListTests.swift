import Records
import Testing

@testable import Audit

struct FindingListTests {
  /// Three operations, `sequence` 1 to 3.
  private let operations = (1...3).map { number in
    var operation = PendingOperation()
    operation.sequence = Int64(number)
    operation.table = "TodoItem"
    operation.itemID = "item \(number)"
    return operation
  }

  @Test func mostSeriousComesFirstAndEqualOnesStayInOrder() {
    let unknown = FindingCatalogue.all.count
    var list = FindingList(about: OperationList(operations))
    list.add(.note, kind: 1, operation: 2, "late")
    list.add(Finding("b-unknown", .note, message: "first"), kind: unknown)
    list.add(.error, kind: 3, operation: 1, "serious")
    list.add(.note, kind: 1, operation: 0, "early")
    list.add(Finding("a-unknown", .note, message: "second"), kind: unknown)
    list.sort()
    #expect(list.map(\.message) == ["serious", "early", "late", "first", "second"])
    #expect(list.indices.map { list.end(ofKindAt: $0) } == [1, 3, 3, 4, 5])
    #expect(list.count(of: .note) == 4)
    let code = FindingCatalogue.all[1].code
    #expect(
      list[1]
        == Finding(
          code, .note, table: "TodoItem", itemID: "item 1", operation: 1, message: "early"))
  }

  @Test func listsAreJoinedWithTheirMessages() {
    var list = FindingList(about: OperationList(operations))
    var other = list
    for (place, message) in ["a", "b", "a"].enumerated() {
      list.add(.note, kind: 0, operation: place, message)
    }
    list.add(Finding("code", .note, message: "whole"), kind: 0)
    other.add(.note, kind: 0, operation: 0, "c")
    other.add(Finding("code", .note, message: "other"), kind: 0)
    list.add(other)
    #expect(list.map(\.message) == ["a", "b", "a", "whole", "c", "other"])
    list.removeAll { $0.message == "a" || $0.message == "whole" }
    #expect(list.map(\.message) == ["b", "c", "other"])
  }
}
