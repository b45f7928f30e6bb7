import Bytes
import Records

/// What two tables of one hash, where a value that its column could not take counts as NULL, have of
/// such values; its text is what a person is told.
///
/// An app's store that was seeded has NULL in their places, so one counts only where neither could
/// take the value of a cell.
enum RejectOutcome: String {
  case comparedAsNull = "compared as NULL"
  case same = "the same in both"
  case sameWhereBothHaveOne = "the same where both have one, else compared as NULL"
  case different = "not the same in both"
}

/// Compares the values that the columns of two stores could not take, in the tables of one hash: what
/// their rows have, and what was set aside before.
///
/// Mostly both have the same, which sums prove. Only elsewhere the cells decide.
struct RejectComparison {
  /// How many such values each side of a table has, and what they are.
  struct Table {
    var counts: Sides<Int>
    var outcome = RejectOutcome.comparedAsNull
  }

  /// The tables where a side has such values, by their places among those that are compared.
  private(set) var tables: [Int: Table] = [:]

  private let entries: [Verification.Entry]
  private let stores: Sides<any StoreReader>
  private let session: Session
  private let places: Sides<[ExactText: Int]>

  init(
    of entries: [Verification.Entry], in stores: Sides<any StoreReader>, _ session: Session
  ) throws(StoreError) {
    self.entries = entries
    self.stores = stores
    self.session = session
    places = Sides(stores.first.catalogue.places, stores.second.catalogue.places)
    try compareCells(of: try compareSums())
  }

  // MARK: - By sums

  /// Compares all values of each table, and tells where they are not the same.
  private mutating func compareSums() throws(StoreError) -> [Int] {
    let setAside = Sides(try digestsOfSetAside(.first), try digestsOfSetAside(.second))
    var open: [Int] = []
    for (index, entry) in entries.enumerated() where entry.isSame {
      var digests = Sides(RejectDigest(), RejectDigest())
      var counts = Sides(0, 0)
      for side in Side.allCases {
        guard let place = place(index, side) else { continue }
        if !setAside[side].isEmpty { digests[side] = setAside[side][place] }
        counts[side] = digests[side].count + now(index, side)
      }
      guard counts.first + counts.second > 0 else { continue }
      tables[index] = Table(counts: counts)
      guard counts.first > 0, counts.second > 0 else { continue }
      for side in Side.allCases {
        try forEachBatch(index, side) { batch, table in digests[side].add(batch, of: table) }
      }
      if digests.first == digests.second {
        tables[index]?.outcome = .same
      } else {
        open.append(index)
      }
    }
    return open
  }

  /// What stands for the values that were set aside of each table of a store; most keep none at all.
  private func digestsOfSetAside(_ side: Side) throws(StoreError) -> [RejectDigest] {
    var digests: [RejectDigest] = []
    let count = stores[side].catalogue.tables.count
    try forEachSetAside(side) { reject, place in
      if digests.isEmpty { digests = Array(repeating: RejectDigest(), count: count) }
      digests[place].add(reject)
    }
    return digests
  }

  // MARK: - By cells

  /// Compares the cells of some tables, of which there may be more than fit the memory.
  private mutating func compareCells(of open: [Int]) throws(StoreError) {
    guard !open.isEmpty else { return }
    let count = open.reduce(0) { $0 + (tables[$1].map { $0.counts.first + $0.counts.second } ?? 0) }
    var spool = RejectSpool(cells: count)
    for side in Side.allCases { try collect(open, side, &spool) }
    var tallies: [Int: RejectSpool.Tally] = [:]
    for part in spool.indices {
      try session.checkInterruption()
      for (index, tally) in try spool.compare(part) {
        var total = tallies[index] ?? RejectSpool.Tally()
        total.same += tally.same
        total.single += tally.single
        // One difference is enough.
        if total.different.isEmpty {
          let standing = try standing(tally.different, index)
          tables[index]?.forget(tally.different.count - standing.count)
          total.different = Array(standing.prefix(1))
        }
        tallies[index] = total
      }
    }
    for (index, tally) in tallies { tables[index]?.outcome = tally.outcome }
  }

  /// Takes the cells of one side of some tables.
  private func collect(
    _ open: [Int], _ side: Side, _ spool: inout RejectSpool
  ) throws(StoreError) {
    var indices: [Int: Int] = [:]
    for index in open {
      guard let place = place(index, side) else { continue }
      indices[place] = index
      try forEachBatch(index, side) { (batch, table) throws(StoreError) in
        for reject in batch.rejects {
          try spool.add(RejectedValue(reject, of: batch, table), index, side)
        }
      }
    }
    try forEachSetAside(side) { (reject, place) throws(StoreError) in
      guard let index = indices[place] else { return }
      try spool.add(reject, index, side)
    }
  }

  /// Those among some cells of a table that have no value now, as both sides have them.
  ///
  /// A person may have put one right, or deleted its row.
  private func standing(
    _ cells: [RejectSpool.Cell], _ index: Int
  ) throws(StoreError) -> [RejectSpool.Cell] {
    guard !cells.isEmpty, let place = place(index, .first) else { return [] }
    let columns = Dictionary(
      stores.first.catalogue.tables[place].columns.enumerated().map {
        (RejectSpool.number(ofColumn: $1.name), $0)
      }, uniquingKeysWith: { first, _ in first })
    // Of a column that the store no longer has there is nothing else.
    var standing = cells.filter { columns[$0.column] == nil }
    let wanted = Dictionary(grouping: cells.filter { columns[$0.column] != nil }, by: \.row)
    guard !wanted.isEmpty else { return standing }
    let places = Set(wanted.values.joined().compactMap { columns[$0.column] })
    try stores.first.forEachBatch(
      inTable: place, wanting: WantedCells(places)
    ) { (batch) throws(StoreError) in
      try session.checkInterruption()
      for (row, key) in batch.keys.enumerated() {
        for cell in wanted[key] ?? [] {
          let column = columns[cell.column] ?? 0
          let isNull = batch.cells[row * batch.columnCount + column].kind == .null
          if isNull { standing.append(cell) }
        }
      }
    }
    return standing
  }

  // MARK: - What is read

  private func place(_ index: Int, _ side: Side) -> Int? {
    places[side][ExactText(entries[index].name)]
  }

  /// How many such values the rows of a table have.
  private func now(_ index: Int, _ side: Side) -> Int {
    (side == .first ? entries[index].left : entries[index].right)?.rejected ?? 0
  }

  /// Hands out the rows of a table once more where their columns could not take something.
  private func forEachBatch(
    _ index: Int, _ side: Side,
    _ body: (borrowing RecordBatch, Records.Table) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard now(index, side) > 0, let place = place(index, side) else { return }
    let table = stores[side].catalogue.tables[place]
    try stores[side].forEachBatch(inTable: place, wanting: []) { (batch) throws(StoreError) in
      try session.checkInterruption()
      try body(batch, table)
    }
  }

  /// Hands out what was set aside of the tables of a store.
  private func forEachSetAside(
    _ side: Side, _ body: (RejectedValue, _ place: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    try stores[side].kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard RejectCode(rawValue: reject.code) != nil,
        let place = places[side][ExactText(reject.table)]
      else { return }
      try body(reject, place)
    }
  }
}

extension RejectComparison.Table {
  /// Forgets values of either side that are none any more.
  fileprivate mutating func forget(_ count: Int) {
    counts = Sides(max(0, counts.first - count), max(0, counts.second - count))
  }
}
