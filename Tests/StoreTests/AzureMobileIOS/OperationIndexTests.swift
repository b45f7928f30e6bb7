import Records
import Testing

@testable import Tables

/// An error row and an operation belong together when neither contradicts the other.
struct OperationIndexTests {
  private let operations = [
    operation(1, "7", "Todo", "A", .update), operation(2, "8", "Todo", "b", .delete),
    operation(3, "8", "Todo", "B", .insert), operation(4, "9", "Visit", "A", .update),
    operation(5, nil, "Todo", nil, nil), operation(6, "0", "Todo", "zero", .update),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let id: String?
    let table: String?
    let item: String?
    let kind: OperationKind?
    let expected: Int64?
  }

  static let cases = [
    Case("all agree", "7", "Todo", "A", .update, 1),
    Case("id in another case", "7", "Todo", "a", .update, 1),
    Case("the number alone", "9", nil, nil, nil, 4),
    Case("update that became a delete", "7", "Todo", "A", .delete, 1),
    Case("number used again for another item", "7", "Todo", "B", .update, nil),
    Case("number used again in another table", "7", "Visit", "A", .update, nil),
    Case("operation is gone", "99", "Todo", "A", .update, nil),
    Case("twin numbers, kind decides", "8", "Todo", "B", .insert, 3),
    Case("twin numbers, first goes", "8", "Todo", "B", .update, 2),
    Case("no number, payload decides", nil, "Todo", "A", .update, 1),
    Case("no number, id in another case", nil, "Todo", "B", .delete, 2),
    Case("no number, another kind", nil, "Todo", "A", .delete, nil),
    Case("no number, no item", nil, "Todo", nil, .update, nil),
    Case("no number, no table", nil, nil, "A", .update, nil),
    Case("zero is no number", "0", "Visit", "A", .update, 4),
    Case("zero without a payload", "0", nil, nil, nil, nil),
    Case("nothing", nil, nil, nil, nil, nil),
  ]

  @Test(arguments: cases) func errorFindsItsOperationOrNone(_ example: Case) {
    var error = OperationError()
    error.originalOperationID = example.id
    (error.table, error.itemID, error.kind) = (example.table, example.item, example.kind)
    OperationIndex(OperationList(operations), for: [error]).connect(&error)
    #expect(error.operation == example.expected)
  }

  /// The operations on two items whose ids are spelled in two ways; those of the second one.
  @Test(arguments: [("1", nil), ("2", 2), ("5", 4), (nil, 2)] as [(String?, Int64?)])
  func spellingsOfALetterAreTwoItems(_ number: String?, _ expected: Int64?) {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let operations = [
      operation(1, "1", "Todo", composed, .update), operation(2, "2", "Todo", decomposed, .update),
      operation(3, "5", "Todo", composed, .update), operation(4, "5", "Todo", decomposed, .update),
    ]
    var error = OperationError()
    error.originalOperationID = number
    (error.table, error.itemID, error.kind) = ("Todo", "E\u{301}", .update)
    OperationIndex(OperationList(operations), for: [error]).connect(&error)
    #expect(error.operation == expected)
  }

  /// Where the SDK tells letter case apart, two items may differ in nothing else.
  @Test(arguments: [("A", 1), ("a", 2), ("ab", 4), ("AB", 4)] as [(String, Int64)])
  func sameSpellingGoesBeforeAnother(_ item: String, _ expected: Int64) {
    let operations = [
      operation(1, "1", "Todo", "A", .update), operation(2, "2", "Todo", "a", .update),
      operation(3, "3", "Todo", "a", .update), operation(4, "4", "Todo", "aB", .update),
    ]
    var error = OperationError()
    (error.table, error.itemID, error.kind) = ("Todo", item, .update)
    OperationIndex(OperationList(operations), for: [error]).connect(&error)
    #expect(error.operation == expected)
  }

  @Test func missingPartsComeFromTheOperationAndOthersStay() {
    var error = OperationError()
    error.originalOperationID = "7"
    error.itemID = "a"
    OperationIndex(OperationList(operations), for: [error]).connect(&error)
    #expect(error.table == "Todo")
    #expect(error.itemID == "a")
  }
}

extension OperationIndexTests.Case {
  fileprivate init(
    _ name: String, _ id: String?, _ table: String?, _ item: String?, _ kind: OperationKind?,
    _ expected: Int64?
  ) {
    testDescription = name
    (self.id, self.table, self.item, self.kind, self.expected) = (id, table, item, kind, expected)
  }
}

private func operation(
  _ sequence: Int64, _ id: String?, _ table: String, _ item: String?, _ kind: OperationKind?
) -> PendingOperation {
  var operation = PendingOperation()
  (operation.sequence, operation.originalID, operation.table) = (sequence, id, table)
  (operation.itemID, operation.kind) = (item, kind)
  return operation
}
