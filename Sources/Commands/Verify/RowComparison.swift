import Bytes
import CommandLineKit
import Records

/// Finds the rows in which two tables of the same columns differ, without holding either table.
///
/// Ranges of keys are compared by their sums of row hashes first, then the rows of the ranges that
/// differ by their hashes, and at the end the cells of the first rows that differ.
struct RowComparison {
  let table: Table
  let limit: Int
  let counts: Sides<Int>
  /// Whether rows are known by their ids, and so come in any order.
  var isByID = false
  /// Where an item is marked as deleted, if both sides do that.
  var deletedColumn: Int?
  /// What waits to be sent and may explain a difference.
  var waiting: WaitingChanges?

  /// How many rows differ, and the first of them, at most `limit`.
  func run(
    _ sources: Sides<RowSource>, _ session: Session
  ) throws(StoreError) -> TableDifference {
    // Each side is read twice.
    var progress = session.makeProgress(.rows, total: 2 * (counts.first + counts.second))
    defer { progress.clear() }
    var blocks = Sides(
      isByID ? KeyBlocks(spreadKeys: counts.first) : KeyBlocks(), KeyBlocks())
    try forEachDigest(sources.first, session, &progress) { (key, digest, _) throws(StoreError) in
      if isByID { blocks.first.sort(key, digest) } else { blocks.first.draw(key, digest) }
    }
    blocks.second = blocks.first.emptied
    try forEachDigest(sources.second, session, &progress) { (key, digest, _) throws(StoreError) in
      blocks.second.sort(key, digest)
    }
    let differing = blocks.first.differences(from: blocks.second, limit: .max)
    var spool = DigestSpool(rows: waiting?.recordCount ?? counts.first + counts.second)
    for side in Side.allCases {
      try forEachDigest(sources[side], session, &progress) {
        (key, digest, isDeleted) throws(StoreError) in
        guard differing.contains(blocks.first.block(of: key)) else { return }
        try spool.add(key, digest, side, isDeleted: isDeleted)
      }
    }
    progress.clear()
    return try difference(spool, sources, session)
  }

  private func forEachDigest(
    _ rows: RowSource, _ session: Session, _ progress: inout ProgressLine,
    _ body: (Int64, SHA256Digest, _ isDeleted: Bool) throws(StoreError) -> Void
  ) throws(StoreError) {
    var hash = TableHash(of: rows.table ?? table)
    var digests: [(Int64, SHA256Digest)] = []
    try rows.forEachBatch(session) { (batch) throws(StoreError) in
      progress.add(batch.rowCount, label: "comparing \(table.name)")
      digests.removeAll(keepingCapacity: true)
      hash.update(batch) { digests.append(($0, $1)) }
      for (row, (key, digest)) in digests.enumerated() {
        let mark = deletedColumn.map { batch.cells[row * batch.columnCount + $0] }
        try body(key, digest, mark == .integer(1))
      }
    }
  }

  /// Counts what differs, and looks at the first rows that do; what is not explained goes first.
  private func difference(
    _ spool: DigestSpool, _ sources: Sides<RowSource>, _ session: Session
  ) throws(StoreError) -> TableDifference {
    let beyond = try itemsBeyondChanges(spool, sources, session)
    var totals = TableDifference.Totals()
    var open = RowComparison.LeastKeys(limit)
    var explained = RowComparison.LeastKeys(limit)
    for part in spool.parts {
      let changes = try waiting?.part(part)
      let exceeding = try beyond?.keys(ofPart: part) ?? []
      try spool.forEachDifference(ofPart: part, session) { difference in
        let explanation =
          exceeding.contains(difference.key) ? nil : changes?.explanation(of: difference)
        totals.add(difference, isExplained: explanation != nil)
        guard difference.counts.first + difference.counts.second > 0 else { return }
        let found = Found(key: difference.key, explanation: explanation)
        if explanation != nil { explained.add(found) } else { open.add(found) }
      }
    }
    let shown = open.sorted + explained.sorted.prefix(limit - open.sorted.count)
    return TableDifference(rows: try rows(shown, sources, session), totals: totals)
  }

  /// The items that would still not be the same if what waits of them were sent, as that sets other
  /// columns than those in which they differ.
  private func itemsBeyondChanges(
    _ spool: DigestSpool, _ sources: Sides<RowSource>, _ session: Session
  ) throws(StoreError) -> KeySpool? {
    guard let waiting, waiting.areInParts else { return nil }
    var exceeding = KeySpool(records: waiting.recordCount)
    var items = ChangedItems()
    for part in spool.parts {
      let changes = try waiting.part(part)
      try spool.forEachDifference(ofPart: part, session) { difference in
        guard difference.counts.first == 1, difference.counts.second == 1,
          let columns = changes.columns(setFor: difference.key)
        else { return }
        items.add(difference.key, setting: columns)
      }
      guard items.areMany || part + 1 == spool.parts.upperBound else { continue }
      try items.forEachBeyondChanges(of: table, sources, session) { (key) throws(StoreError) in
        try exceeding.add(key)
      }
      items = ChangedItems()
    }
    return exceeding
  }

  private func rows(
    _ shown: [Found], _ sources: Sides<RowSource>, _ session: Session
  ) throws(StoreError) -> [TableDifference.Row] {
    let keys = Set(shown.map(\.key))
    guard !keys.isEmpty else { return [] }
    var cells = Sides<[Int64: [ShownCell]]>([:], [:])
    var counts = Sides<[Int64: Int]>([:], [:])
    for side in Side.allCases {
      // Of rows that share a key, of which there may be very many, one has the name of all.
      var firstRows: [Int64: [ShownCell]] = [:]
      var sums: [Int64: Int] = [:]
      try sources[side].forEachRow(where: keys.contains, in: table, session) { key, row in
        if sums[key] == nil { firstRows[key] = row }
        sums[key, default: 0] += 1
      }
      (cells[side], counts[side]) = (firstRows, sums)
      if case .items(let rows) = sources[side] {
        try rows.showIDs(ofTargetsIn: &cells[side])
        try rows.showSetAside(in: &cells[side])
      }
    }
    let rows = shown.map { found in
      let key = found.key
      let both = Sides(cells.first[key], cells.second[key])
      var row = TableDifference.Row(
        key: isByID ? nil : key, id: isByID ? name(of: both.first ?? both.second) : nil,
        counts: Sides(counts.first[key] ?? 0, counts.second[key] ?? 0))
      row.explanation = found.explanation
      if row.counts.first == 1, row.counts.second == 1, let left = both.first,
        let right = both.second
      {
        row.cells = differingCells(left, right)
      }
      return row
    }
    return isByID
      ? rows.sorted {
        ($0.explanation == nil ? 0 : 1, $0.id ?? "") < ($1.explanation == nil ? 0 : 1, $1.id ?? "")
      }
      : rows
  }

  /// What an item is called: its id, or else what its first column holds; nil where it has neither.
  private func name(of cells: [ShownCell]?) -> String? { cells?.first?.text }

  private func differingCells(
    _ left: [ShownCell], _ right: [ShownCell]
  ) -> [TableDifference.Cell] {
    zip(table.columns, zip(left, right)).compactMap { column, cells in
      guard cells.0.fingerprint != cells.1.fingerprint else { return nil }
      return TableDifference.Cell(
        column: column.name, left: cells.0.text, right: cells.1.text)
    }
  }

  /// A difference, and what explains it.
  fileprivate struct Found {
    let key: Int64
    let explanation: String?
  }

  /// The differences with the least keys, a few of many.
  fileprivate struct LeastKeys {
    private let limit: Int
    private var kept: [Found] = []

    init(_ limit: Int) { self.limit = limit }

    mutating func add(_ found: Found) {
      guard limit > 0 else { return }
      kept.append(found)
      if kept.count >= 2 * limit + 1000 { kept = sorted }
    }

    /// At most as many as wanted, in the order of their keys.
    var sorted: [Found] { Array(kept.sorted { $0.key < $1.key }.prefix(limit)) }
  }
}
