import Bytes
import CommandLineKit
import Records

/// A comparison of two stores: by hash first, then in detail where the hashes differ.
struct Verification {
  /// One table or part of the queue on both sides.
  struct Entry {
    var name: String
    var left: StoreContents.Entry?
    var right: StoreContents.Entry?
    var difference = TableDifference()
    /// What was compared, where not all is.
    var compared: ComparedTable?
    /// How many items of each side are marked as deleted and count as gone, since the other side
    /// does not have them, or has no such mark.
    var deleted = Sides(0, 0)
    /// How many values of each side its columns could not take; where all is compared, only if the
    /// hashes are the same.
    var rejected = Sides(0, 0)
    /// What the hash does not tell of these.
    var rejects = RejectOutcome.comparedAsNull
    /// Whether only one store has the table, of which its SDK never sends anything.
    var staysOnDevice = false

    /// Whether both sides have the same, but for what waiting operations explain.
    var isEqual: Bool {
      guard !staysOnDevice else { return true }
      guard difference.columns.isEmpty else { return false }
      guard !isSame else { return rejects != .different }
      return compared != nil && difference.totals.open == 0
    }

    /// Whether both sides have the same hash.
    var isSame: Bool { left != nil && left?.digest == right?.digest }
  }

  private(set) var tables: [Entry]
  private(set) var parts: [Entry] = []
  /// What was found of each store while it was read.
  let findings: Sides<Findings>

  /// Whether only items are compared, each by its id.
  let isByID: Bool

  var isEqual: Bool { (tables + parts).allSatisfy(\.isEqual) }

  /// How many rows differ in a way that waiting operations explain.
  var explained: Int { tables.reduce(0) { $0 + $1.difference.totals.explained } }

  /// Compares two stores; of each table at most `limit` rows are shown.
  init(
    of stores: Sides<any StoreReader>, limit: Int, _ session: Session
  ) throws(StoreError) {
    isByID = false
    var progress = try session.makeProgress(inRowsOf: stores.first, stores.second)
    defer { progress.clear() }
    let left = try StoreContents(of: stores.first, session, &progress)
    let right = try StoreContents(of: stores.second, session, &progress)
    progress.clear()
    findings = Sides(left.findings, right.findings)
    tables = Self.paired(left.tables, right.tables)
    parts = Self.paired(left.parts, right.parts)
    let places = Sides(stores.first.catalogue.places, stores.second.catalogue.places)
    for (index, entry) in tables.enumerated() {
      guard let first = places.first[ExactText(entry.name)],
        let second = places.second[ExactText(entry.name)]
      else { continue }
      let sources = Sides(
        RowSource.table(stores.first, first), RowSource.table(stores.second, second))
      tables[index].difference = try Self.difference(entry, limit, sources, session)
    }
    let rejects = try RejectComparison(of: tables, in: stores, session)
    for (index, table) in rejects.tables {
      tables[index].rejected = table.counts
      tables[index].rejects = table.outcome
    }
    for (index, part) in ContentHash.parts.enumerated() {
      let sources = Sides(RowSource.part(stores.first, part), RowSource.part(stores.second, part))
      parts[index].difference = try Self.difference(parts[index], limit, sources, session)
    }
  }

  /// Compares the items of two stores as far as both have them.
  init(
    ofItemsIn stores: Sides<any StoreReader>, limit: Int, _ session: Session
  ) throws(StoreError) {
    isByID = true
    let comparison = try ItemVerification(stores, limit: limit, session)
    var tables: [Entry] = []
    var progress = try session.makeProgress(inRowsOf: stores.first, stores.second)
    defer { progress.clear() }
    for (places, table) in try comparison.wanted() {
      tables.append(try comparison.entry(table, places, &progress))
    }
    self.tables = tables
    findings = Sides(stores.first.findings.ofContents, stores.second.findings.ofContents)
  }

  /// The tables of the left in order, then those that only the right has.
  private static func paired(
    _ left: [StoreContents.Entry], _ right: [StoreContents.Entry]
  ) -> [Entry] {
    let rightByName = Dictionary(keepingFirst: right.map { (ExactText($0.table.name), $0) })
    let names = Set(left.map { ExactText($0.table.name) })
    return left.map {
      Entry(name: $0.table.name, left: $0, right: rightByName[ExactText($0.table.name)])
    }
      + right.filter { !names.contains(ExactText($0.table.name)) }.map {
        Entry(name: $0.table.name, left: nil, right: $0)
      }
  }

  private static func difference(
    _ entry: Entry, _ limit: Int, _ sources: Sides<RowSource>, _ session: Session
  ) throws(StoreError) -> TableDifference {
    guard !entry.isSame, let left = entry.left, let right = entry.right else {
      return TableDifference()
    }
    // Which device a row is from is no content.
    let (leftTable, rightTable) = (left.table.withoutSource, right.table.withoutSource)
    let columns = columnDifferences(leftTable, rightTable)
    guard columns.isEmpty else { return TableDifference(columns: columns) }
    return try RowComparison(
      table: leftTable, limit: limit, counts: Sides(left.rows, right.rows)
    ).run(sources, session)
  }

  private static func columnDifferences(_ left: Table, _ right: Table) -> [String] {
    let leftColumns = left.columns.map { ExactText("\($0.name) (\($0.type.rawValue))") }
    let rightColumns = right.columns.map { ExactText("\($0.name) (\($0.type.rawValue))") }
    guard leftColumns != rightColumns else { return [] }
    let onlyLeft = leftColumns.filter { !rightColumns.contains($0) }
    let onlyRight = rightColumns.filter { !leftColumns.contains($0) }
    let sentences =
      onlyLeft.map { "column \($0.wrappedValue): only in the first" }
      + onlyRight.map { "column \($0.wrappedValue): only in the second" }
    return sentences.isEmpty ? ["the columns stand in another order"] : sentences
  }
}

/// One of two stores that are compared.
enum Side: String, CaseIterable {
  case first
  case second

  var other: Side { self == .first ? .second : .first }

  /// What programs know it as.
  var word: String { self == .first ? "left" : "right" }
}

/// What both stores have of something.
struct Sides<Value> {
  var first: Value
  var second: Value

  init(_ first: Value, _ second: Value) {
    self.first = first
    self.second = second
  }

  subscript(side: Side) -> Value {
    get { side == .first ? first : second }
    set { if side == .first { first = newValue } else { second = newValue } }
  }
}

extension Sides: Sendable where Value: Sendable {}
