import Bytes
import Formats
import Records
import SyncSDKs
import Tables

/// What the operations that wait in a store would do to the items of one table on a server.
struct WaitingChanges {
  /// The store whose operations wait.
  let side: Side
  private let queue: EffectsOfQueue
  /// The places of the compared columns by what the store's SDK calls them.
  private let columns: [ExactText: Int]
  /// What is to be done with items, in the order of the effects, and the keys of these items.
  private var changes: [EffectsOfQueue.Change] = []
  private var keys: [Int64] = []
  /// The places of these by key; those of one item in their order.
  private var order: [Int32] = []

  /// Finds the operations on the items of a table in the effects to which a queue comes.
  init(_ queue: EffectsOfQueue, on compared: ComparedTable, _ side: Side) {
    self.side = side
    self.queue = queue
    let names = compared.pairs.map { compared.tables[side].columns[$0.places[side]].sourceName }
    columns = Dictionary(
      keepingFirst: names.enumerated().map { (ExactText($0.element), $0.offset) })
    let form = compared.pairs.first?.form
    guard compared.hasID, let form else { return }
    var ids = ItemKeys()
    let place = compared.onlySide == side.other ? nil : compared.places[side]
    for (change, itemID) in queue.changes(onTableAt: place, called: compared.name) {
      guard let itemID else { continue }
      let bytes = Array(itemID.utf8)
      let cell = Cell.text(at: 0, size: bytes.count)
      keys.append(ids.key(of: cell, comparedAs: form, .text, arena: bytes.span))
      changes.append(change)
    }
    order = keys.indices.map { Int32(truncatingIfNeeded: $0) }
    let keys = keys
    // Swift's sorting keeps the order of equal elements.
    order.sort { keys[Int($0)] < keys[Int($1)] }
  }

  /// What is to be done with an item, in order.
  private func changes(of key: Int64) -> [EffectsOfQueue.Change] {
    let start = firstPlace(in: order) { keys[Int($0)] >= key }
    return order[start...].prefix { keys[Int($0)] == key }.map { changes[Int($0)] }
  }

  /// The operations that explain a difference once they are sent, in words; nil where they do not.
  func explanation(of difference: DigestSpool.Difference) -> String? {
    let changes = changes(of: difference.key)
    guard !changes.isEmpty, difference.counts.first <= 1, difference.counts.second <= 1,
      let isThere = Self.isThere(difference.hasItem(side.other), after: changes)
    else { return nil }
    let isOwn = difference.hasItem(side)
    return isThere == isOwn
      ? changes.map(\.kind.rawValue).joined(separator: " and ") : nil
  }

  /// Whether the server has the item as the store does after the changes; nil where one of them
  /// cannot be carried out.
  private static func isThere(
    _ wasThere: Bool, after changes: [EffectsOfQueue.Change]
  ) -> Bool? {
    var isThere = wasThere
    for change in changes {
      switch change.kind {
      case .insert:
        guard !isThere || change.replaces else { return nil }
        isThere = true
      case .update:
        guard isThere else { return nil }
      case .delete: isThere = false
      }
    }
    return isThere
  }

  /// Whether some changes set a part of the columns only.
  var areInParts: Bool { queue.isInParts }

  /// The places of the compared columns that the changes of an item set; nil where they set all.
  func columns(setFor key: Int64) -> Set<Int>? {
    let changes = changes(of: key)
    guard !changes.isEmpty else { return nil }
    var set: Set<Int> = []
    for change in changes {
      guard let fields = queue.fields(of: change) else { return nil }
      set.formUnion(fields.compactMap { columns[$0] })
    }
    return set
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
    /// The place of the effect among all.
    fileprivate let place: Int32
    let kind: OperationKind
    /// Whether an insert takes the place of an item that the server may have.
    let replaces: Bool
  }

  private let effects: Fold.Effects
  private let operations: OperationList
  /// The sources whose updates hold only what changed.
  private let changeSources: Set<Int32>
  private var places: [Int: [Int32]] = [:]
  /// The effects on tables that the store does not have, by their names.
  private var placesOfMissing: [ExactText: [Int32]] = [:]
  private let hasExactNames: Bool
  /// The sources whose items have no ids before a server has seen them.
  private let idlessSources: Set<Int32>

  init(of reader: any StoreReader) throws(StoreError) {
    operations = try reader.readQueue(.withoutRaw).afterReplay().operations
    changeSources = reader.source.foldHabits.changeSources
    idlessSources = Self.idlessSources(of: reader)
    let habits = FoldHabits(
      exactSources: reader.source.exactSources, changeSources: changeSources)
    effects = Fold(operations, habits: habits).effects
    let exact = reader.catalogue.places
    hasExactNames = reader.source.sdks.tellNameTwinsApart
    let folded = Dictionary(
      keepingFirst: reader.catalogue.tables.enumerated().map { (ExactText(sqlName: $1.name), $0) })
    for number in effects.indices {
      let effect = effects.places(at: number)
      let names = [operations[effect.first].table, operations[effect.rowTable].rowTable]
      let tables = names.compactMap { $0 }.compactMap {
        exact[ExactText($0)] ?? (hasExactNames ? nil : folded[ExactText(sqlName: $0)])
      }
      for table in Set(tables) {
        places[table, default: []].append(Int32(truncatingIfNeeded: number))
      }
      if tables.isEmpty, let name = operations[effect.first].table {
        placesOfMissing[key(name), default: []].append(Int32(truncatingIfNeeded: number))
      }
    }
  }

  private static func idlessSources(of reader: any StoreReader) -> Set<Int32> {
    reader.source.sdks.numbers { !$0.hasIDsFromTheStart }
  }

  /// Whether new items of a store are known by what its operations call them.
  static func nameItems(of reader: any StoreReader) -> Bool { !idlessSources(of: reader).isEmpty }

  var isEmpty: Bool { effects.isEmpty }

  /// Whether some updates hold only what changed.
  var isInParts: Bool { !changeSources.isEmpty }

  private func key(_ name: String) -> ExactText {
    hasExactNames ? ExactText(name) : ExactText(sqlName: name)
  }

  /// What is to be done with items of one table, in order; one that the store does not have, as it
  /// has no rows, is known by its name.
  func changes(
    onTableAt table: Int?, called name: String
  ) -> some Sequence<(Change, itemID: String?)> {
    let numbers = table.map { places[$0] } ?? placesOfMissing[key(name)]
    return (numbers ?? []).lazy.map { number in
      let effect = effects.places(at: Int(number))
      let change = Change(place: number, kind: effect.kind, replaces: effect.replaces)
      return (change, operations[effect.first].itemID)
    }
  }

  /// What new items are called on their device, by their rows, where the server gives them ids.
  func localIDs(onTableAt table: Int) -> [Int64: String] {
    var ids: [Int64: String] = [:]
    for number in places[table] ?? [] {
      let effect = effects.places(at: Int(number))
      guard effect.kind == .insert, idlessSources.contains(operations[effect.first].source),
        let key = operations[effect.row].rowKey
      else { continue }
      ids[key] = operations[effect.first].itemID
    }
    return ids
  }

  /// The names of the fields that a change sets; nil where it sends the whole item.
  func fields(of change: Change) -> Set<ExactText>? {
    let effect = effects.places(at: Int(change.place))
    guard change.kind == .update, changeSources.contains(operations[effect.first].source) else {
      return nil
    }
    var fields: Set<ExactText> = []
    effects.forEachPlace(effect) { place in
      // What is no object is told of elsewhere, and sets nothing.
      guard let item = operations[place].item, let object = JSONObject(parsing: item.span)
      else { return }
      fields.formUnion(object.members.map { ExactText($0.key) })
    }
    return fields
  }
}
