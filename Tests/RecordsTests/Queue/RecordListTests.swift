import TestSupport
import Testing

@testable import Records

/// A list whose records are in a file must be as one whose records are in memory.
struct RecordListTests {
  /// Errors of every shape: with all fields, with none, with empty and with long ones.
  private static let errors: [OperationError] = (0..<700).map { number in
    var error = OperationError()
    guard number % 13 != 0 else { return error }
    error.table = number % 5 == 0 ? "" : "Tabelle \(number) 茶"
    error.itemID = number % 3 == 0 ? nil : "item-\(number)"
    error.kind = number % 4 == 0 ? nil : OperationKind.allCases[number % 3]
    error.status = number % 6 == 0 ? nil : [.min, -1, 0, 412, .max][number % 5]
    error.code = number % 7 == 0 ? nil : "\"-\(number)\""
    error.message = String(repeating: "no ", count: number % 17 == 0 ? 9_000 : number % 90)
    error.item = number % 8 == 0 ? nil : Array("{\"n\":\(number)}".utf8)
    error.serverItem = number % 9 == 0 ? [] : nil
    error.operation = number % 10 == 0 ? nil : Int64(number) * -7_919
    error.originalID = number % 2 == 0 ? nil : "e\(number)"
    error.originalOperationID = number % 3 == 0 ? "" : "\(number)"
    error.raw =
      [
        nil, .integer(.min), .real(-0.5), .text([0xFF, 0]), .binary([]),
        .binary([UInt8](repeating: 7, count: 300)),
      ][number % 6]
    error.source = number % 11 == 0 ? .min : Int32(number)
    return error
  }

  private static func list(_ limit: Int) -> ErrorList {
    var list = ErrorList(memoryLimit: limit)
    for error in errors { list.append(error) }
    return list
  }

  @Test(arguments: [0, 20_000, 1 << 30])
  func errorsComeBackAsTheyWere(_ limit: Int) throws {
    let list = Self.list(limit)
    #expect(list.count == Self.errors.count)
    #expect(Array(list) == Self.errors)
    #expect(list.indices.reversed().map { list[$0] } == Self.errors.reversed())
    #expect(Array(list[300..<340]) == Array(Self.errors[300..<340]))
    #expect(list == ErrorList(Self.errors))
  }

  @Test(arguments: [0, 20_000, 1 << 30])
  func lookupGivesErrorsInAnyOrder(_ limit: Int) {
    var lookup = ErrorList.Lookup(Self.list(limit))
    let places = [0, 1, 2, 7, 5, 5, 699, 0, 350, 351, 349]
    for place in places + stride(from: 3, to: 700, by: 29) {
      #expect(lookup.record(at: place) == Self.errors[place])
    }
  }

  @Test(arguments: [0, 1 << 30])
  func changesAreKeptAndCopiesStayAsTheyAre(_ limit: Int) {
    var list = Self.list(limit)
    let copy = list
    list.updateEach { $0.operation = 7 }
    #expect(list.map(\.operation) == Self.errors.map { _ in 7 })
    #expect(list.map(\.message) == Self.errors.map(\.message))
    #expect(Array(copy) == Self.errors)
    #expect(list != copy)
  }

  @Test func noErrorsTakeNothing() {
    var list: ErrorList = []
    list.updateEach { $0.operation = 1 }
    #expect(list.isEmpty && Array(list).isEmpty && list == ErrorList())
  }

  /// Tokens of every shape: with all fields, with none and with empty ones.
  @Test(arguments: [0, 20_000, 1 << 30])
  func tokensComeBackAsTheyWere(_ limit: Int) {
    let tokens = (0..<700).map { number in
      var token = DeltaToken()
      token.table = number % 3 == 0 ? nil : "Tabelle 茶"
      token.query = [nil, "", "q-\(number)"][number % 3]
      token.updatedAt = number % 4 == 0 ? nil : "2024-05-01T10:20:30.123Z"
      token.raw = number % 5 == 0 ? nil : String(repeating: "r", count: number)
      token.source = number % 7 == 0 ? .min : Int32(number)
      return token
    }
    var list = TokenList(memoryLimit: limit)
    list.append(contentsOf: tokens)
    #expect(Array(list) == tokens)
    #expect(list.indices.reversed().map { list[$0] } == tokens.reversed())
  }
}
