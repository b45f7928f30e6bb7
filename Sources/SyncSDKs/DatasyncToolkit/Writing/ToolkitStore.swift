package import Bytes
package import Records
package import SQLite
package import Tables

/// A new store of a Community Toolkit app: an Entity Framework database with its queue.
///
/// It is built beside its destination, so it has identity.
package final class ToolkitStore: AppStore {
  package var filling: any AppTableFilling { tables }

  private let template: ToolkitTemplate?
  private var types: ToolkitTypes
  private let tables: AppTables<ToolkitTable>
  private var links: ToolkitLinks
  private let leavesOutUnknown: Bool
  /// What the queue comes from.
  private var source: SourceDescription?
  /// How many sources are still to come to their end.
  private var sourcesLeft: Int
  /// The place of the first table of the current one.
  private var firstPlan = 0
  /// What came out at the end of the last about tables of those before.
  private var lateLosses = Losses()

  /// How the tables of sources fit a template.
  ///
  /// References may lead to any of `all`, which are the tables that are left out, too.
  ///
  /// - Throws: `StoreError` when the template is no store of the toolkit, or not empty.
  package static func fit(
    of tables: [Table], among all: [Table], from sources: [SourceDescription],
    in template: AppTemplate, types: ToolkitTypes, leavingOutUnknown: Bool
  ) throws(StoreError) -> AppFit {
    var fit = AppFit(leavingOutUnknown: leavingOutUnknown)
    var types = types
    for source in sources { types.add(source.metadata) }
    _ = try ToolkitTemplate(template).tables(
      for: tables, among: all, types: types.known, &fit)
    return fit
  }

  /// Begins a store of so many sources for `destination`, in a copy of the app's own empty store where
  /// one is given.
  ///
  /// - Throws: `StoreError` when the template is no store of the toolkit, or the file cannot be made.
  package init(
    destination: String, replacing: Bool, template: AppTemplate?, sourceCount: Int,
    types: ToolkitTypes, leavingOutUnknown: Bool, interruption: Interruption
  ) throws(StoreError) {
    sourcesLeft = sourceCount
    self.types = types
    leavesOutUnknown = leavingOutUnknown
    self.template = try template.map { (template) throws(StoreError) in
      try ToolkitTemplate(template)
    }
    let file = try AppStoreFile(
      destination: destination, replacing: replacing, template: template,
      interruption: interruption)
    tables = AppTables(file)
    links = ToolkitLinks(tables: tables, types: types)
    guard template == nil else { return }
    try file.withDatabase { (connection) throws(SQLiteError) in
      try connection.execute(ToolkitNames.systemTables)
    }
  }

  package func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    let catalogue = catalogue.withoutSources
    source = description
    types.add(description.metadata)
    firstPlan = tables.plans.count
    if let template {
      var fit = AppFit(leavingOutUnknown: leavesOutUnknown)
      tables.plans += try template.tables(for: catalogue.tables, types: types.known, &fit)
      try template.check(fit)
      tables.losses.add(
        .warning, "triggers of the template, which have not run",
        count: try template.countTriggers())
      return
    }
    for table in catalogue.tables {
      guard !ToolkitNames.isReserved(table.name) else {
        throw StoreError(
          .usage, "the toolkit needs the table name \(table.name) for itself",
          hint: "rename the table, or leave it out with --exclude-table")
      }
      let plan = ToolkitTable(making: table)
      try tables.file.withDatabase { (connection) throws(SQLiteError) in
        try connection.execute(plan.creation)
      }
      tables.plans.append(plan)
    }
  }

  package func write(_ tied: consuming MatchedQueue) throws(StoreError) -> QueueCounts {
    let queue = try tables.settled(tied)
    sourcesLeft -= 1
    // The rows of a later source may be those that a reference leads to.
    let isLast = sourcesLeft <= 0
    return try tables.file.withDatabase { (connection) throws(SQLiteError) in
      let own = firstPlan..<tables.plans.count
      if template == nil { try completeItems(of: queue, in: own, connection) }
      links.begin(types, isComplete: isLast)
      let hasEarlier = isLast && firstPlan > 0
      try links.takeOutRows(own, connection, &tables.losses)
      if hasEarlier { try links.takeOutRows(tables.plans.indices, connection, &lateLosses) }
      var writer = try ToolkitQueueWriter(
        tables, types, source, connection)
      var written = try writer.write(queue, connection)
      tables.losses.merge(writer.losses)
      try links.takeAway(own, connection, &tables.losses)
      if hasEarlier { try links.takeAway(tables.plans.indices, connection, &lateLosses) }
      written.add(links.changes)
      if links.changes.operations != 0 { try connection.numberOperations() }
      tables.keep(queue.tokens)
      guard isLast else { return written }
      written.tokens = try writer.write(
        tables.earliestTokens(&lateLosses), lacking: tables.tablesToPull, &lateLosses)
      return written
    }
  }

  /// Gives tables the columns that the toolkit asks for of each item, where nothing but what waits, or how
  /// far pulls had come, tells that they are synchronised.
  private func completeItems(
    of queue: Queue, in places: Range<Int>, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let names = queue.operations.tableNames.union(
      queue.tokens.compactMap { $0.table.map { ExactText($0) } })
    for place in places {
      let plan = tables.plans[place]
      guard plan.id != nil, names.contains(ExactText(plan.source.name)) else { continue }
      let lacking = plan.lackingSystemColumns
      for column in lacking {
        try connection.execute(
          "ALTER TABLE main.\(quoted(plan.name)) ADD COLUMN \(quoted(column.name)) "
            + "\(column.form.declaredType) NULL")
      }
      tables.plans[place].columns += lacking
    }
  }

  package func takeLateFindings() -> [Finding] { lateLosses.take() }

  package consuming func publish() throws(StoreError) { try tables.file.publish() }
}
