import Records
import TestSupport
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

  @Test func findingsOfAnOperationAreFoundByItsNumber() {
    let unknown = FindingCatalogue.all.count
    var list = FindingList(about: OperationList(operations))
    for place in [2, 0, 1, 2] { list.add(.note, kind: 1, operation: place, "a") }
    list.add(.error, kind: 2, operation: 2, "b")
    list.add(Finding("of a reader", .note, operation: 3, message: "c"), kind: unknown)
    list.add(Finding("of the store", .note, message: "d"), kind: unknown)
    list.sort()
    let codes = FindingCatalogue.all.map(\.code)
    #expect(list.codes(ofOperation: 1) == [codes[1]])
    #expect(list.codes(ofOperation: 3) == [codes[2], codes[1], "of a reader"])
    #expect(list.codes(ofOperation: 4) == [])
    #expect(list.compactMap(\.operation) == [3, 1, 2, 3, 3, 3])
  }

  @Test func codesOfOneOperationAfterTheOtherAreThoseOfEach() {
    var list = FindingList(about: OperationList(operations))
    for place in [2, 0, 2] { list.add(.note, kind: 1, operation: place, "a") }
    list.add(.error, kind: 2, operation: 2, "b")
    list.add(
      Finding("of a reader", .note, operation: 3, message: "c"), kind: FindingCatalogue.all.count)
    list.add(Finding("of the store", .note, message: "d"), kind: FindingCatalogue.all.count)
    list.sort()
    var codes = FindingList.Codes(of: list)
    for sequence in [1, 2, 2, 3, 3, 4, 1, 3] as [Int64] {
      #expect(codes.next(of: sequence) == list.codes(ofOperation: sequence))
    }
  }

  /// An operation may have any number, and a finding about none has none.
  @Test(arguments: [0, -2, Int64.min], [false, true])
  func findingsAboutNoOperationHideNone(_ first: Int64, isLast: Bool) {
    let code = FindingCatalogue.all[1].code
    let numbered = operations.enumerated().map { place, operation in
      var operation = operation
      operation.sequence = first + Int64(place)
      return operation
    }
    let whole = Finding(code, .note, message: "about the store")
    var list = FindingList(about: OperationList(numbered))
    if !isLast { list.add(whole, kind: 1) }
    for place in [2, 0] { list.add(.note, kind: 1, operation: place, "a") }
    if isLast { list.add(whole, kind: 1) }
    list.sort()
    #expect(list.map(\.operation) == [nil, first, first + 2])
    var codes = FindingList.Codes(of: list)
    for (place, expected) in [[code], [], [code]].enumerated() {
      #expect(list.codes(ofOperation: first + Int64(place)) == expected)
      #expect(codes.next(of: first + Int64(place)) == expected)
    }
  }

  @Test func findingThatSaysNoMoreThanItsOperationIsKeptAsThat() {
    var list = FindingList(about: OperationList(operations))
    let code = FindingCatalogue.all[1].code
    let plain = Finding(
      code, .note, table: "TodoItem", itemID: "item 2", operation: 2, message: "m")
    var others = [Finding](repeating: plain, count: 5)
    others[0].itemID = "ITEM 2"
    others[1].table = nil
    others[2].count = 2
    others[3].source = 1
    others[4].operation = 4
    for finding in [plain] + others { list.add(finding, kind: 1) }
    #expect(Array(list) == [plain] + others)
    var kept = FindingList.KeptFindings(of: list)
    #expect(
      list.indices.filter { place in
        if case .about = kept.finding(at: place) { true } else { false }
      } == [0])
  }

  /// From group to group and back, in any order.
  @Test func keptFindingsSayWhatFindingsSay() {
    var list = FindingList(about: OperationList(operations))
    for (kind, severity) in [(2, Severity.note), (0, .error), (7, .warning), (1, .note)] {
      for place in 0..<3 { list.add(severity, kind: kind, operation: place, "\(kind) \(place)") }
      list.add(Finding(FindingCatalogue.all[kind].code, severity, message: "whole"), kind: kind)
    }
    list.add(Finding("not-of-the-catalogue", .note, message: "m"), kind: FindingCatalogue.all.count)
    var random = SeededGenerator(seed: 8)
    var kept = FindingList.KeptFindings(of: list)
    for place in list.indices.shuffled(using: &random) + Array(list.indices) {
      switch kept.finding(at: place) {
      case .whole(let finding): #expect(finding == list[place])
      case .about(let operation, let code, let severity, let message):
        kept.withOperation(operation) {
          let finding = Finding(
            code, severity, table: $0.table, itemID: $0.itemID, operation: $0.sequence,
            message: message)
          #expect(finding == list[place])
        }
      }
    }
  }

  @Test func sentencesBeyondThoseInMemoryComeBack() {
    var list = FindingList(about: OperationList(operations))
    let messages = (0..<2000).map { "sentence \($0 % 700) of many" }
    for message in messages { list.add(.note, kind: 0, operation: 1, message) }
    #expect(list.map(\.message) == messages)
    var other = FindingList(about: OperationList(operations))
    other.add(.note, kind: 0, operation: 0, "first")
    other.add(list)
    #expect(other.map(\.message) == ["first"] + messages)
  }
}
