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
  /// The keys of the items for which something waits, and the places of the effects on them.
  private var spool: PartedSpool<2>
  /// How many rows and changes there are, by which both are divided into the same parts.
  let recordCount: Int

  /// Finds the operations on the items of a table, which has so many rows, in the effects to which a
  /// queue comes.
  init(
    _ queue: EffectsOfQueue, on compared: ComparedTable, _ side: Side, rows: Int
  ) throws(StoreError) {
    self.side = side
    self.queue = queue
    let names = compared.pairs.map { compared.tables[side].columns[$0.places[side]].sourceName }
    columns = Dictionary(
      keepingFirst: names.enumerated().map { (ExactText($0.element), $0.offset) })
    let place = compared.onlySide == side.other ? nil : compared.places[side]
    let places = queue.places(onTableAt: place, called: compared.name)
    recordCount = rows + places.count
    spool = PartedSpool(records: recordCount)
    guard compared.hasID, let form = compared.pairs.first?.form else { return }
    try keep(places, comparedAs: form)
  }

  private mutating func keep(
    _ places: PackedPairs, comparedAs form: ComparedForm
  ) throws(StoreError) {
    var ids = ItemKeys()
    for (place, _) in places {
      guard let itemID = queue.itemID(ofEffect: place) else { continue }
      let bytes = Array(itemID.utf8)
      let cell = Cell.text(at: 0, size: bytes.count)
      let key = UInt64(
        bitPattern: ids.key(of: cell, comparedAs: form, .text, arena: bytes.span))
      try spool.add(key: key, [key, UInt64(place)])
    }
  }

  /// What is to be done with the items of a part.
  func part(_ number: Int) throws(StoreError) -> Part {
    let entries = try spool.records(ofPart: number) { words in
      Part.Entry(key: Int64(bitPattern: words[0]), place: Int(words[1]))
    }
    return Part(side: side, queue: queue, columns: columns, entries)
  }

  /// Whether some changes set a part of the columns only.
  var areInParts: Bool { queue.isInParts }
}

extension WaitingChanges {
  /// What is to be done with some of the items.
  struct Part {
    fileprivate struct Entry {
      let key: Int64
      /// The place of the effect among all.
      let place: Int
    }

    private let side: Side
    private let queue: EffectsOfQueue
    private let columns: [ExactText: Int]
    /// In the order of the keys, and those of one item in theirs.
    private let entries: [Entry]

    fileprivate init(
      side: Side, queue: EffectsOfQueue, columns: [ExactText: Int], _ entries: [Entry]
    ) {
      (self.side, self.queue, self.columns) = (side, queue, columns)
      // Swift's sorting keeps the order of equal elements.
      self.entries = entries.sorted { $0.key < $1.key }
    }

    /// What is to be done with an item, in order.
    private func changes(of key: Int64) -> [EffectsOfQueue.Change] {
      let start = firstPlace(in: entries) { $0.key >= key }
      return entries[start...].prefix { $0.key == key }.map { queue.change(at: $0.place) }
    }
  }
}

extension WaitingChanges.Part {
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
