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

    var isEqual: Bool { left != nil && left?.digest == right?.digest }
  }

  private(set) var tables: [Entry]
  private(set) var parts: [Entry]

  /// Whether only items are compared, each by its id.
  let isByID: Bool

  var isEqual: Bool { (tables + parts).allSatisfy(\.isEqual) }

  /// Compares two stores; of each table at most `limit` rows are shown.
  ///
  /// - Throws: `StoreError` when either cannot be read.
  init(
    _ left: any StoreReader, _ right: any StoreReader, limit: Int, isByID: Bool = false,
    _ settings: RunSettings
  ) throws(StoreError) {
    self.isByID = isByID
    let leftContents = try StoreContents(of: left, asItems: isByID, settings)
    let rightContents = try StoreContents(of: right, asItems: isByID, settings)
    tables = Self.paired(leftContents.tables, rightContents.tables)
    parts = isByID ? [] : Self.paired(leftContents.parts, rightContents.parts)
    for (index, entry) in tables.enumerated() {
      guard let leftPlace = left.catalogue.index(ofTable: entry.name),
        let rightPlace = right.catalogue.index(ofTable: entry.name)
      else { continue }
      let (leftItems, rightItems) = (
        isByID ? ItemRows(of: left.catalogue.tables[leftPlace]) : nil,
        isByID ? ItemRows(of: right.catalogue.tables[rightPlace]) : nil
      )
      tables[index].difference = try Self.difference(
        entry, limit, isByID: isByID, left: RowSource(left, leftPlace, leftItems),
        right: RowSource(right, rightPlace, rightItems))
    }
    for (index, part) in ContentHash.parts.enumerated() where !isByID {
      parts[index].difference = try Self.difference(
        parts[index], limit, left: .part(left, part), right: .part(right, part))
    }
  }

  /// The tables of the left in order, then those that only the right has.
  private static func paired(
    _ left: [StoreContents.Entry], _ right: [StoreContents.Entry]
  ) -> [Entry] {
    let rightByName = Dictionary(
      right.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(left.map(\.table.name))
    return left.map {
      Entry(name: $0.table.name, left: $0, right: rightByName[$0.table.name])
    }
      + right.filter { !names.contains($0.table.name) }.map {
        Entry(name: $0.table.name, left: nil, right: $0)
      }
  }

  private static func difference(
    _ entry: Entry, _ limit: Int, isByID: Bool = false, left: RowSource, right: RowSource
  ) throws(StoreError) -> TableDifference {
    guard !entry.isEqual, let leftTable = entry.left?.table, let rightTable = entry.right?.table
    else { return TableDifference() }
    let columns = columnDifferences(leftTable, rightTable)
    guard columns.isEmpty else { return TableDifference(columns: columns) }
    let count = isByID ? entry.left?.rows : nil
    let rows = try RowComparison(table: leftTable, limit: limit, itemCount: count)
      .run(left: left, right: right)
    return TableDifference(rows: rows)
  }

  private static func columnDifferences(_ left: Table, _ right: Table) -> [String] {
    let leftColumns = left.columns.map { "\($0.name) (\($0.type.rawValue))" }
    let rightColumns = right.columns.map { "\($0.name) (\($0.type.rawValue))" }
    guard leftColumns != rightColumns else { return [] }
    let onlyLeft = leftColumns.filter { !rightColumns.contains($0) }
    let onlyRight = rightColumns.filter { !leftColumns.contains($0) }
    let sentences =
      onlyLeft.map { "column \($0): only in the first" }
      + onlyRight.map { "column \($0): only in the second" }
    return sentences.isEmpty ? ["the columns stand in another order"] : sentences
  }
}
