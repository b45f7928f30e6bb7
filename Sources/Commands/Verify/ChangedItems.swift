import Bytes
import Records

/// Items that differ, of which what waits sets some columns only.
struct ChangedItems {
  private var items: [(key: Int64, columns: Int32)] = []
  /// The columns that items set, of which many set the same.
  private var columns: [Set<Int>] = []
  private var places: [Set<Int>: Int32] = [:]

  /// How many items are looked at together, for which all rows are read again.
  private static let most = 500_000

  /// Whether there are as many as should be looked at together.
  var areMany: Bool { items.count >= Self.most }

  mutating func add(_ key: Int64, setting set: Set<Int>) {
    let place = places[set] ?? Int32(truncatingIfNeeded: columns.count)
    if place == columns.count {
      columns.append(set)
      places[set] = place
    }
    items.append((key, place))
  }

  /// Hands out the keys of those that differ in other columns, too.
  consuming func forEachBeyondChanges(
    of table: Table, _ sources: Sides<RowSource>, _ session: Session,
    _ body: (Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !items.isEmpty else { return }
    items.sort { $0.key < $1.key }
    let (keys, sets, columns) = (
      KeyPlaces(items.map(\.key)), items.map(\.columns), columns
    )
    var spool = DigestSpool(rows: 2 * items.count)
    items = []
    for side in Side.allCases {
      try sources[side].forEachRow(where: keys.keys.contains, in: table, session) {
        (key, row) throws(StoreError) in
        guard let place = keys.place(of: key) else { return }
        let digest = Self.digest(of: row, without: columns[Int(sets[place])])
        try spool.add(key, digest, side, isDeleted: false)
      }
    }
    for part in spool.parts {
      var beyond: [Int64] = []
      try spool.forEachDifference(ofPart: part, session) { beyond.append($0.key) }
      for key in beyond { try body(key) }
    }
  }

  private static func digest(of row: [ShownCell], without set: Set<Int>) -> SHA256Digest {
    var hash = SHA256()
    for (place, cell) in row.enumerated() where !set.contains(place) {
      let bytes = cell.fingerprint.bytes
      hash.update(bytes.span)
    }
    return hash.finish()
  }
}
