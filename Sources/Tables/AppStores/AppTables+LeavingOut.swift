import Bytes
package import Records
package import SQLite

extension AppTables {
  /// The names of the app's tables that lack rows of the sources.
  package var lackingRows: Set<String> { incomplete.union(thinned) }

  /// Leaves out the rows that are marked as deleted and for whose mark the app has no property: its SDK
  /// takes such rows out.
  ///
  /// An item with a change that waits keeps its row, as it does in a pull.
  package func leaveOutMarkedRows(
    changedBy operations: OperationList, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard !marked.isEmpty else { return }
    defer { marked = [:] }
    let changed = changedRows(operations)
    for (name, keys) in marked.sorted(by: { $0.key < $1.key }) {
      guard let plan = plan(ofTable: name.wrappedValue), let key = plan.key else { continue }
      let kept = changed[name] ?? []
      try connection.execute("CREATE TEMP TABLE marked (row INTEGER PRIMARY KEY)")
      var choice = try connection.prepare("INSERT INTO temp.marked VALUES (?)")
      try keys.forEachKey { (row) throws(SQLiteError) in
        guard !kept.contains(row) else { return }
        try choice.bind(row + plan.keyOffset, at: 1)
        try choice.run()
      }
      let count = try leaveOut(
        plan, where: "\(key) IN (SELECT row FROM temp.marked)", connection)
      losses.addMarkedRows(of: plan.source.name, count: count)
      try connection.execute("DROP TABLE temp.marked")
    }
  }

  /// The rows with marks that operations send, by the names of tables.
  private func changedRows(_ operations: OperationList) -> [ExactText: KeySet] {
    var rows: [ExactText: KeySet] = [:]
    for operation in operations where operation.state.isPending && operation.kind != .delete {
      guard let key = operation.rowKey,
        let table = (operation.rowTable ?? operation.table).map({ ExactText($0) }),
        marked[table] != nil
      else { continue }
      rows[table, default: []].insert(key)
    }
    return rows
  }

  /// Leaves out the rows of items whose deletes wait, as the app itself has done before it queued them.
  package func leaveOut(
    _ items: consuming DeletedItems, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for name in try items.tables(connection) {
      guard let plan = plan(ofTable: name), let place = plan.source.index(of: .id),
        let id = plan.targets.first(where: { $0.place == place })?.name
      else { continue }
      let named = "SELECT id FROM temp.deleted WHERE name = \(quotedLiteral(name))"
      let count = try leaveOut(
        plan, where: "\(plan.ownRows) AND \(quoted(id)) IN (\(named))", connection)
      losses.addRowsWithDelete(of: plan.source.name, count: count)
    }
    try connection.execute("DROP TABLE temp.deleted")
  }

  /// Leaves out the rows of a table for which a condition holds.
  ///
  /// - Returns: how many these were.
  private func leaveOut(
    _ plan: Plan, where condition: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try connection.execute("DELETE FROM main.\(quoted(plan.name)) WHERE \(condition)")
    let count = Int(try connection.integer("SELECT changes()"))
    guard count > 0 else { return 0 }
    takeOut(count, ofTable: plan.source.name, isRejected: false)
    thinned.insert(plan.name)
    return count
  }
}

/// The items whose deletes wait, which may be very many.
package struct DeletedItems: ~Copyable {
  private var insertion: Statement

  /// No items.
  package init(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      "CREATE TEMP TABLE deleted (name TEXT, id TEXT, PRIMARY KEY (name, id)) WITHOUT ROWID")
    insertion = try connection.prepare("INSERT OR IGNORE INTO temp.deleted VALUES (?, ?)")
  }

  /// Adds an item of a table of the sources.
  package mutating func add(_ id: String, ofTable name: String) throws(SQLiteError) {
    try insertion.bind(name, at: 1)
    try insertion.bind(id, at: 2)
    try insertion.run()
  }

  fileprivate func tables(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    var names: [String] = []
    var statement = try connection.prepare("SELECT DISTINCT name FROM temp.deleted")
    while try statement.step() { names.append(statement.name(at: 0)) }
    return names
  }
}
