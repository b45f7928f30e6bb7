import Records
import SQLite
import Tables

/// What the metadata knows of the items that operations are about.
struct AmplifyVersions {
  /// The version for the operation at each place, where its item has one.
  private var versions: [Int64]
  private var versioned: KeySet = []
  private(set) var isEmpty = true
  /// The rows of the metadata for whose items operations wait.
  private var waiting: KeySet = []

  /// What is told of one item.
  private struct Facts: ItemFacts {
    enum Source: UInt8 {
      /// Its note has the place.
      case operation
      /// Its note has the row and the version.
      case version
      /// The same, where there is none.
      case noVersion
    }

    private(set) var places: [Int32] = []
    private(set) var rows: [Int64] = []
    private(set) var version: Int64?

    mutating func add(_ note: ItemNotes<Self>.Note) {
      switch note.source {
      case .operation: places.append(Int32(truncatingIfNeeded: note.numbers.0))
      case .version:
        rows.append(note.numbers.0)
        version = max(version ?? .min, note.numbers.1)
      case .noVersion: rows.append(note.numbers.0)
      }
    }
  }

  /// Brings operations together with the rows of the metadata on their items.
  init(
    for operations: OperationList, _ metadata: AmplifyMetadata, _ names: TableNames,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    versions = [Int64](repeating: 0, count: operations.count)
    guard !operations.isEmpty else { return }
    var notes = ItemNotes<Facts>(askingAbout: operations.count)
    for (place, operation) in operations.enumerated() {
      guard let item = metadata.item(of: operation, names) else { continue }
      try notes.ask(.init(item: item, source: .operation, numbers: (Int64(place), 0)))
    }
    try metadata.forEach(connection) { (row) throws(SQLiteError) in
      try notes.answer(
        .init(
          item: metadata.item(of: row.id), source: row.version == nil ? .noVersion : .version,
          numbers: (row.number, row.version ?? 0)))
    }
    var all = self
    try notes.forEachGroup { group in
      for facts in group.values { all.add(facts) }
    }
    self = all
  }

  private mutating func add(_ facts: Facts) {
    guard !facts.places.isEmpty else { return }
    for row in facts.rows { waiting.insert(row) }
    guard let version = facts.version else { return }
    isEmpty = false
    for place in facts.places {
      versions[Int(place)] = version
      versioned.insert(Int64(place))
    }
  }

  /// The version for the operation at a place.
  subscript(place: Int) -> Int64? { versioned.contains(Int64(place)) ? versions[place] : nil }

  /// Whether operations wait for the item of a row of the metadata.
  func waits(forRow number: Int64) -> Bool { waiting.contains(number) }
}
