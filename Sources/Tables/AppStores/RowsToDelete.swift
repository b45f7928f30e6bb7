import Bytes
package import Records
package import SQLite

/// The rows of an app's store whose item a change that waits is to delete, as another device had it
/// still.
package struct RowsToDelete {
  private struct Place {
    let title: String
    /// The column of the ids.
    let column: String
    var items: Set<ExactText> = []
  }

  /// By the names of the app's tables.
  private var places: [ExactText: Place] = [:]

  package init() {}

  /// Takes a change of an item that waits, in push order.
  package mutating func note<Table: AppTable>(
    _ kind: OperationKind?, of itemID: String, in table: Table
  ) {
    let (name, id) = (ExactText(table.name), table.source.index(of: .id))
    guard kind == .delete else {
      places[name]?.items.remove(ExactText(itemID))
      return
    }
    guard let id, let column = table.targets.first(where: { $0.place == id })?.name else { return }
    places[name, default: Place(title: table.source.name, column: column)].items
      .insert(ExactText(itemID))
  }

  /// Tells how many rows there are, by one look at each table.
  package func tell(
    of connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) {
    for (name, place) in places.sorted(by: { $0.key < $1.key }) where !place.items.isEmpty {
      var rows = try connection.prepare(
        "SELECT \(quoted(place.column)) FROM \(quoted(name.wrappedValue))")
      var count = 0
      while try rows.step() {
        if let id = rows.text(at: 0), place.items.contains(ExactText(id)) { count += 1 }
      }
      guard count > 0 else { continue }
      losses.add(
        .warning, table: place.title,
        "rows of \(place.title) that are there as all others although a change that waits deletes them",
        count: count)
    }
  }
}
