import Records
package import Tables

/// The layout of Microsoft.Datasync.Client, which kept the tables of its forerunners and changed
/// nearly every code in them.
package enum DatasyncDotnet {
  /// Recognises a store by its three tables and the columns of its errors.
  package static func recognise(_ tables: SystemTables) -> PlainLayout? {
    guard tables.has(DotnetNames.operations, DotnetNames.operationColumns),
      tables.has(DotnetNames.configuration, DotnetNames.configurationColumns),
      tables.has(DotnetNames.errors, ["status", "kind", "version"]),
      !tables.has(DotnetNames.errors, ["httpStatus"]),
      !tables.has(DotnetNames.operations, ["tableKind"]),
      !tables.has(DotnetNames.operations, ["createdAt"])
    else { return nil }
    var evidence = [
      "tables \(DotnetNames.operations), \(DotnetNames.errors) and \(DotnetNames.configuration)",
      "errors have status, kind and version",
    ]
    let isInherited =
      tables.declaredType(of: "value", in: DotnetNames.configuration) != "integer"
    if isInherited {
      evidence.append(
        "unlike a fresh store: values of \(DotnetNames.configuration) are not declared INTEGER; "
          + "an older SDK may have made the file, and codes may mean what they meant there")
    }
    var queue = queue
    if isInherited { queue.stranger = stranger }
    var layout = PlainLayout(
      layout: .datasyncDotnet, evidence: evidence, systemTables: DotnetNames.systemTables,
      columns: columns, queue: queue)
    if isInherited {
      layout.findings = [.twoGenerations("values of __config are not declared INTEGER")]
    }
    return layout
  }

  /// The forerunners spelled ids with hyphens, and meant other things by their codes.
  private static func stranger(_ id: String) -> String? {
    guard id.utf8.count == 36, id.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4 else {
      return nil
    }
    return "the operation has an id of the SDK before this one, in whose codes 0 is insert, 1 "
      + "update and 2 delete; here they mean nothing, delete and insert"
  }

  /// Times are milliseconds since 1970; there is no `createdAt`.
  private static var columns: ColumnRules {
    let time = StoredTime(unit: .milliseconds, spelling: .iso)
    return ColumnRules(
      declared: DotnetNames.declaredTypes(time: .milliseconds),
      system: SystemColumn.all(time: time).filter { $0.role != .createdAt }, time: time)
  }

  private static var queue: DotnetQueue {
    DotnetQueue(
      kinds: [1: .delete, 2: .insert, 3: .update],
      states: [0: .pending, 1: .attempted, 2: .completed, 3: .failed],
      errorColumns: ("kind", "status", "version"), versionKeys: VersionKeys.new
    ) { key, statement, names in
      // dt.<table>.<query>; a table's name has no full stop, a query may.
      let parts = key.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "dt" else { return nil }
      var token = DeltaToken(
        table: names.canonical(String(parts[1])), query: String(parts[2]))
      token.readMilliseconds(statement, at: 1)
      return token
    }
  }
}
