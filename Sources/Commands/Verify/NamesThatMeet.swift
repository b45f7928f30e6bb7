import Bytes
import Exports
import Records

/// New names for tables and columns of one store, so that they meet those of the other.
enum NamesThatMeet {
  /// Gives the tables and columns in `corrections` their other names.
  ///
  /// Each is for the store that has the old name while the other has the new one.
  ///
  /// - Throws: `StoreError` when that is neither store, or both.
  static func apply(
    _ corrections: [String], to catalogues: inout Sides<Catalogue>
  ) throws(StoreError) {
    let ofColumns = corrections.filter { !renameTable($0, in: &catalogues) }
    for correction in ofColumns { try renameColumn(correction, in: &catalogues) }
  }

  private static func renameTable(_ correction: String, in catalogues: inout Sides<Catalogue>)
    -> Bool
  {
    for side in Side.allCases {
      let tables = catalogues[side].tables
      // A name may hold an equals sign itself.
      for place in tables.indices {
        guard let new = correction.removing(prefix: tables[place].name + "="),
          catalogues[side].index(ofTable: new) == nil,
          catalogues[side.other].index(ofTable: new) != nil
        else { continue }
        catalogues[side].tables[place].name = new
        return true
      }
    }
    return false
  }

  private static func renameColumn(
    _ correction: String, in catalogues: inout Sides<Catalogue>
  ) throws(StoreError) {
    var found: [(side: Side, table: Int, column: Int, new: String)] = []
    for side in Side.allCases {
      for (place, table) in catalogues[side].tables.enumerated() {
        guard let other = catalogues[side.other].index(ofTable: table.name),
          let rest = correction.removing(prefix: table.name + ".")
            ?? correction.removing(prefix: table.sourceName + ".")
        else { continue }
        let names = Set(catalogues[side.other].tables[other].columns.map(\.name))
        for (column, old) in table.columns.enumerated() {
          guard let new = rest.removing(prefix: old.name + "="), names.contains(new),
            !table.columns.contains(where: { $0.name == new })
          else { continue }
          found.append((side, place, column, new))
        }
      }
    }
    guard found.count == 1, let change = found.first else {
      throw StoreError(
        .usage,
        found.isEmpty
          ? "--rename \(correction): no store has the first name where the other has the second"
          : "--rename \(correction): it can mean the columns of both stores",
        hint: "--rename TABLE=NAME or --rename TABLE.COLUMN=NAME; "
          + "'rehome inspect' shows the tables and columns of a store")
    }
    catalogues[change.side].tables[change.table].columns[change.column].name = change.new
  }
}
