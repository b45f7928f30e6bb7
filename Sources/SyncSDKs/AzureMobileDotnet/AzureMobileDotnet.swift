import Records
package import SQLite
package import Tables

/// The layout of the managed SDKs of Mobile Services (a0 to a3) and Mobile Apps (b).
package enum AzureMobileDotnet {
  /// Recognises a store by its three tables and the columns of its errors.
  package static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PlainLayout? {
    guard tables.has(DotnetNames.operations, DotnetNames.operationColumns),
      tables.has(DotnetNames.configuration, DotnetNames.configurationColumns),
      tables.has(DotnetNames.errors, ["httpStatus", "operationKind"]),
      !tables.has(DotnetNames.errors, ["status"])
    else { return nil }
    let traits = try DotnetTraits(tables, connection)
    let generation = traits.generation
    var layout = PlainLayout(
      layout: .azureMobileDotnet, generation: generation.rawValue,
      evidence: [
        "tables \(DotnetNames.operations), \(DotnetNames.errors) and \(DotnetNames.configuration)",
        "errors have httpStatus and operationKind",
      ] + traits.evidence,
      systemTables: DotnetNames.systemTables, columns: columns(of: generation),
      queue: queue(of: generation))
    if traits.hasNewDate, traits.hasOldDate {
      layout.findings = [.twoGenerations("operations have createdAt and __createdAt")]
    }
    return layout
  }

  /// Times are seconds since 1970; a string that the app declared may hold the server's text.
  private static func columns(of generation: DotnetGeneration) -> ColumnRules {
    let time = StoredTime(unit: .seconds, spelling: .iso)
    return ColumnRules(
      declared: DotnetNames.declaredTypes(time: .seconds), system: SystemColumn.all(time: time),
      prefixes: generation == .b ? ["", DotnetNames.oldPrefix] : [DotnetNames.oldPrefix],
      time: time)
  }

  private static func queue(of generation: DotnetGeneration) -> DotnetQueue {
    DotnetQueue(
      kinds: [0: .insert, 1: .update, 2: .delete],
      states: [0: .pending, 1: .attempted, 2: .failed],
      errorColumns: ("operationKind", "httpStatus", "operationVersion"),
      versionKeys: generation == .b ? VersionKeys.new : VersionKeys.old
    ) { key, statement, names in
      guard let (table, query) = DotnetTokenKey(key)?.parts(names) else { return nil }
      var token = DeltaToken(table: names.canonical(table), query: query)
      token.readISO(statement, at: 1)
      return token
    }
  }
}
