import Bytes
package import Records
import SyncSDKs

/// Looks at sources that shall become one store, each on any thread: at their tables, the keys of all
/// rows and the ids of items.
package struct SourceSurvey: Sendable {
  /// What was seen of a source, in the order in which it is told.
  package enum Piece: Sendable {
    case source(SurveyedSource, Catalogue)
    /// Rows of a table of the source.
    case rows(table: Int, RowSurvey.Part)
    /// The keys of a table whose rows come in another order than theirs, in that order.
    case sorted(table: Int, keys: [Int64])
    /// The source has stayed as it was.
    case end

    /// How many bytes it takes, about.
    package var size: Int {
      switch self {
      case .source, .end: 0
      case .rows(_, let part): part.size
      case .sorted(_, let keys): keys.count * 8
      }
    }
  }

  private let numbers: TableNumbers

  init(_ numbers: TableNumbers) {
    self.numbers = numbers
  }

  /// Tells what is seen of a source, which has a number among all and which messages call `label`.
  ///
  /// Of a copy the hash tells what it is.
  package func look(
    at reader: any StoreReader, number: Int, label: String, hash: String? = nil,
    _ tell: (Piece) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.unchanged(called: label) { () throws(StoreError) in
      let source = try SurveyedSource(reader, number: number, label: label, hash: hash)
      try look(at: reader, source, tell)
    }
    try tell(.end)
  }

  private func look(
    at reader: any StoreReader, _ source: SurveyedSource,
    _ tell: (Piece) throws(StoreError) -> Void
  ) throws(StoreError) {
    try tell(.source(source, try reader.catalogueByValues()))
    let ownNames = reader.catalogue.ownNames
    for (index, table) in reader.catalogue.tables.enumerated() {
      let survey = RowSurvey(
        of: table, numbered: numbers.number(ofTable: ownNames[index]), source: source.number)
      var order = KeyOrder()
      try survey.forEachPart(of: reader, index) { (part) throws(StoreError) in
        order.add(part.keys)
        try tell(.rows(table: index, part))
      }
      guard order.isBroken else { continue }
      var keys: [Int64] = []
      try reader.forEachBatch(inTable: index, wanting: []) { (batch) throws(StoreError) in
        keys += batch.keys
      }
      try tell(.sorted(table: index, keys: keys.sorted()))
    }
  }
}

/// What tells whether a source is the same when it is opened once more, and what it is called.
package struct SurveyedSource: Sendable {
  let number: Int
  let label: String
  /// How many stores it tells of.
  let storeCount: Int64
  /// The places of the tables in whose names letter case always counts.
  let exactTables: Set<Int>
  private let state: State

  private enum State: Equatable {
    case stamps([String: FileStamp?])
    /// The hash of a copy, which has other stamps each time.
    case hash(String)

    init(of reader: any StoreReader, hash: String?) {
      let stamps = reader.inputFiles.map { ($0, FileStamp(of: $0)) }
      self =
        hash.map(Self.hash)
        ?? .stamps(Dictionary(keepingFirst: stamps))
    }
  }

  init(
    _ reader: any StoreReader, number: Int, label: String, hash: String?
  ) throws(StoreError) {
    self.number = number
    self.label = label
    storeCount = reader.source.storeCount
    exactTables = try Self.exactTables(of: reader)
    state = State(of: reader, hash: hash)
  }

  /// The tables of devices whose SDK takes names that differ only in letter case for two.
  private static func exactTables(of reader: any StoreReader) throws(StoreError) -> Set<Int> {
    let (sdks, tables) = (reader.source.sdks, reader.catalogue.tables)
    guard sdks.tellNameTwinsApart else { return [] }
    let devices = sdks.numbers(where: \.tellsNameTwinsApart)
    var exact = Set(tables.indices)
    // Which of several devices has a table, its rows tell; one without rows may be of any.
    for (index, table) in tables.enumerated() where !sdks.allSatisfy(\.tellsNameTwinsApart) {
      guard let place = table.sourcePlace else { continue }
      var (isEmpty, isExact) = (true, false)
      try reader.forEachBatch(inTable: index, wanting: [place]) { batch in
        isEmpty = isEmpty && batch.rowCount == 0
        isExact =
          isExact
          || (0..<batch.rowCount).contains { devices.contains(batch.source(ofRow: $0, table)) }
      }
      if !isEmpty, !isExact { exact.remove(index) }
    }
    return exact
  }

  /// Throws when a source that was opened once more is not what it was.
  func expectUnchanged(_ reader: any StoreReader, hash: String?) throws(StoreError) {
    guard state == State(of: reader, hash: hash) else { throw Self.changed(label) }
  }

  static func changed(_ label: String) -> StoreError { StoreError(SourceChange(of: label)) }
}

/// Whether keys come in their own order, each once.
private struct KeyOrder {
  private(set) var isBroken = false
  private var last: Int64?

  mutating func add(_ keys: [Int64]) {
    for key in keys {
      if let last, key <= last { isBroken = true }
      last = key
    }
  }
}
