import Bytes
import Records

extension Catalogue {
  /// Throws unless each table and column can have its name beside the others.
  ///
  /// Readers of app stores claim the names that they give; a canonical store or an export that
  /// somebody has changed may bring any.
  func checkNames() throws(StoreError) {
    var tableNames = CatalogueNames()
    for table in tables {
      guard hasSameBytes(tableNames.claimTable(table.name), table.name) else {
        throw Self.unusable("the table \(table.name)")
      }
      var columnNames = CatalogueNames()
      for column in table.columns
      where !hasSameBytes(columnNames.claimColumn(column.name), column.name) {
        throw Self.unusable("the column \(column.name) of \(table.name)")
      }
    }
  }

  private static func unusable(_ what: String) -> StoreError {
    StoreError(
      .damaged, "\(what) has a name that is reserved, or that another one has",
      hint: "somebody has changed the input; take it as it was made")
  }
}
