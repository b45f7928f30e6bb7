import Bytes
import Records
import SyncSDKs
import Tables

/// What the operations that wait in a store would do to the items of one table on a server.
struct WaitingChanges {
  /// The store whose operations wait.
  let side: Side
  /// What is to be done with items, in the order of the effects, and the keys of these items.
  private var kinds: [OperationKind] = []
  private var keys: [Int64] = []
  /// The places of these by key; those of one item in their order.
  private var order: [Int32] = []

  /// Finds the operations on the items of a table in the effects to which a queue comes.
  init(_ queue: EffectsOfQueue, on compared: ComparedTable, _ side: Side) {
    self.side = side
    let form = compared.pairs.first?.form
    guard compared.hasID, let form else { return }
    var ids = ItemKeys()
    for effect in queue.effects(onTableAt: compared.places[side]) {
      guard let id = effect.itemID else { continue }
      let bytes = Array(id.utf8)
      let cell = Cell.text(at: 0, size: bytes.count)
      keys.append(ids.key(of: cell, comparedAs: form, .text, arena: bytes.span))
      kinds.append(effect.kind)
    }
    order = keys.indices.map { Int32(truncatingIfNeeded: $0) }
    let keys = keys
    // Swift's sorting keeps the order of equal elements.
    order.sort { keys[Int($0)] < keys[Int($1)] }
  }

  /// What is to be done with an item, in order.
  private func kinds(of key: Int64) -> [OperationKind] {
    let start = firstPlace(in: order) { keys[Int($0)] >= key }
    return order[start...].prefix { keys[Int($0)] == key }.map { kinds[Int($0)] }
  }

  /// The operations that explain a difference once they are sent, in words; nil where they do not.
  func explanation(of difference: DigestSpool.Difference) -> String? {
    let kinds = kinds(of: difference.key)
    guard !kinds.isEmpty, difference.counts.first <= 1, difference.counts.second <= 1,
      let isThere = Self.isThere(difference.hasItem(side.other), after: kinds)
    else { return nil }
    let isOwn = difference.hasItem(side)
    return isThere == isOwn
      ? kinds.map(\.rawValue).joined(separator: " and ") : nil
  }

  /// Whether the server has the item as the store does after the changes; nil where one of them
  /// cannot be carried out.
  private static func isThere(_ wasThere: Bool, after kinds: [OperationKind]) -> Bool? {
    var isThere = wasThere
    for kind in kinds {
      switch kind {
      case .insert:
        guard !isThere else { return nil }
        isThere = true
      case .update:
        guard isThere else { return nil }
      case .delete: isThere = false
      }
    }
    return isThere
  }
}

extension DigestSpool.Difference {
  /// Whether a side has the item, and not as a deleted one.
  fileprivate func hasItem(_ side: Side) -> Bool { counts[side] > deleted[side] }
}

/// The effects to which the operations of a store come, by the tables of its catalogue.
struct EffectsOfQueue {
  /// What is to be done with one item.
  struct Change {
    let itemID: String?
    let kind: OperationKind
  }

  private let effects: Fold.Effects
  private let operations: OperationList
  private var places: [Int: [Int32]] = [:]

  init(of reader: any StoreReader) throws(StoreError) {
    operations = try reader.readDecodedQueue().operations
    let habits = FoldHabits(changeSources: reader.source.foldHabits.changeSources)
    effects = Fold(operations, habits: habits).effects
    let exact = Dictionary(
      reader.catalogue.tables.enumerated().map { (ExactText($1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    let folded = Dictionary(
      reader.catalogue.tables.enumerated().map { (ExactText(sqlName: $1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    for number in effects.indices {
      let effect = effects.places(at: number)
      let names = [operations[effect.first].table, operations[effect.rowTable].rowTable]
      let tables = names.compactMap { $0 }.compactMap {
        exact[ExactText($0)] ?? folded[ExactText(sqlName: $0)]
      }
      for table in Set(tables) {
        places[table, default: []].append(Int32(truncatingIfNeeded: number))
      }
    }
  }

  var isEmpty: Bool { effects.isEmpty }

  /// What is to be done with items of one table, in order.
  func effects(onTableAt table: Int) -> some Sequence<Change> {
    (places[table] ?? []).lazy.map { number in
      let effect = effects.places(at: Int(number))
      return Change(itemID: operations[effect.first].itemID, kind: effect.kind)
    }
  }
}
