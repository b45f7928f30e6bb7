import Formats
import Records
import TestSupport

@testable import Replay

/// A random queue, the server that it meets, and what the server must have in the end.
struct Situation {
  /// What is done about conflicts.
  enum Decision: CaseIterable {
    case skip
    case clientWins
    case serverWins
    /// Deleted items are brought back, and other conflicts left.
    case bringBack

    var rules: ConflictRules {
      get throws {
        switch self {
        case .skip: return ConflictRules(.skip)
        case .clientWins: return ConflictRules(.clientWins)
        case .serverWins: return ConflictRules(.serverWins)
        case .bringBack:
          var rules = ConflictRules(.skip)
          let text = "table,operation,situation,decision\n*,*,deleted,client-wins\n"
          let folder = try TemporaryFolder()
          try rules.addTable(at: folder.write(text, to: "rules.csv"))
          return rules
        }
      }
    }
  }

  var operations: [PendingOperation] = []
  var rows: [String: [UInt8]] = [:]
  var server: ModelServer
  /// What each item must be in the end; nil where it must not be there, or be marked as deleted.
  var expected: [String: JSONObject?] = [:]
  var inserted: Set<String> = []
  var conflicting: Set<String> = []
  private var chains: [[PendingOperation]] = []
  private var random: SeededGenerator
  private let decision: Decision

  init(_ dialect: Dialect, decision: Decision, random: SeededGenerator) {
    self.random = random
    self.decision = decision
    server = ModelServer(dialect, isSoft: self.random.next() % 2 == 0)
    server.hasVersions = self.random.next() % 4 > 0
    for number in 0..<Int(4 + self.random.next() % 8) { add("item-\(number)") }
    interleave()
  }

  private mutating func add(_ id: String) {
    let ours = fields("ours \(id)")
    rows[id] = ModelServer.json(ours)
    switch random.next() % 9 {
    case 0:
      append(id, [.insert])
      expect(id, ours, isNew: true)
    case 1:
      append(id, [.insert, .update])
      expect(id, ours, isNew: true)
    case 2, 3:
      append(id, [.update, .update], version: server.put(id, fields("old")))
      expect(id, ours)
    case 4:
      append(id, [.delete], version: server.put(id, fields("old")))
      expect(id, nil)
    case 5:
      append(id, [.insert, .delete])
      expect(id, nil)
    case 6:
      // The server had the item all the time: an answer was lost long ago.
      _ = server.put(id, ours)
      append(id, [.insert])
      expect(id, ours)
    default: addClash(id, ours)
    }
  }

  /// An item that somebody else has changed since; only where versions can tell.
  private mutating func addClash(_ id: String, _ ours: JSONObject) {
    let theirs = fields("theirs \(id)")
    let version = server.put(id, fields("old"))
    guard server.hasVersions else {
      append(id, [.update], version: version)
      return expect(id, ours)
    }
    let isGone = random.next() % 3 == 0
    if isGone, !server.isSoft {
      server.take(id)
    } else {
      _ = server.put(id, theirs, isDeleted: isGone)
    }
    let isNewThere = isGone && server.isSoft && random.next() % 2 == 0
    append(id, [isNewThere ? .insert : .update], version: version)
    if decision == .clientWins || decision == .bringBack && isGone { return expect(id, ours) }
    expect(id, isGone ? nil : theirs)
    if decision != .serverWins { conflicting.insert(id) }
  }

  private mutating func expect(_ id: String, _ fields: JSONObject?, isNew: Bool = false) {
    expected[id] = .some(fields)
    if isNew { inserted.insert(id) }
  }

  private mutating func append(_ id: String, _ kinds: [OperationKind], version: String? = nil) {
    chains.append(
      kinds.map { kind in
        var operation = PendingOperation()
        operation.table = "TodoItem"
        operation.itemID = id
        operation.kind = kind
        operation.rowKey = 1
        // Some stores keep no version.
        operation.baseVersion = kind == .insert || !server.hasVersions ? nil : version
        return operation
      })
  }

  /// Puts the operations on all items into one queue, those on each in their order.
  private mutating func interleave() {
    while !chains.isEmpty {
      let place = Int.random(in: 0..<chains.count, using: &random)
      var operation = chains[place].removeFirst()
      operation.sequence = Int64(operations.count + 1)
      operations.append(operation)
      if chains[place].isEmpty { chains.remove(at: place) }
    }
  }

  private mutating func fields(_ text: String) -> JSONObject {
    var fields = JSONObject()
    fields["text"] = .string(text)
    fields["count"] = .number(JSONNumber(Int64(truncatingIfNeeded: random.next() % 1000)))
    fields["when"] = .string("2016-10-01T09:15:30.5Z")
    return fields
  }
}
