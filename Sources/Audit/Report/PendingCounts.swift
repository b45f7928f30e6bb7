import Bytes
import Records

/// How many operations of each kind wait for one table.
package struct PendingCount: Sendable, Equatable {
  /// The table; nil for operations that name none.
  package let table: String?
  /// How many inserts wait.
  package private(set) var inserts = 0
  /// How many updates wait.
  package private(set) var updates = 0
  /// How many deletes wait.
  package private(set) var deletes = 0
  /// How many operations wait whose kind cannot be told.
  package private(set) var unreadable = 0

  /// How many operations wait.
  var total: Int { inserts + updates + deletes + unreadable }

  init(table: String?) {
    self.table = table
  }

  fileprivate mutating func add(_ kind: OperationKind?) {
    switch kind {
    case .insert: inserts += 1
    case .update: updates += 1
    case .delete: deletes += 1
    case nil: unreadable += 1
    }
  }
}

extension StoreAudit {
  /// What waits, by table in alphabetical order; operations without a table come first.
  package var pendingCounts: [PendingCount] {
    var counts: [ExactText?: PendingCount] = [:]
    let traits = effects.traits
    // Strings are made only of what the catalogue does not have.
    var known = tables.map { PendingCount(table: $0.name) }
    for place in traits.pending {
      let kind = traits.traits[place].kind
      if let table = traits.table(ofOperation: place) {
        known[table].add(kind)
      } else {
        let name = queue.operations[place].table
        counts[name.map { ExactText($0) }, default: PendingCount(table: name)].add(kind)
      }
    }
    for count in known where count.total > 0 { counts[count.table.map { ExactText($0) }] = count }
    // An empty name is a name.
    return counts.values.sorted { left, right in
      guard let table = left.table, let other = right.table else {
        return left.table == nil && right.table != nil
      }
      return ExactText(table) < ExactText(other)
    }
  }
}
