package import Records
import Tables

extension Layout {
  package static let datasyncDotnet = Layout(named: "datasync-dotnet")
}

extension SDK {
  /// Microsoft.Datasync.Client, which kept the tables of its forerunners and changed nearly every
  /// code in them.
  static let datasyncDotnet = SDK(layout: .datasyncDotnet) { _ in
    var traits = SDKTraits()
    traits.dialect = .v3
    traits.style = SDKStyle(fraction: .asNeeded, marksWholeReals: true, sendsVersions: true)
    traits.tellsCaseTwinsApart = true
    return traits
  } recognise: { tables, _ in
    DatasyncDotnet.recognise(tables)
  }
}

/// What Microsoft.Datasync.Client keeps in a store, in the tables of `AzureMobileDotnet`.
enum DatasyncDotnet {
  /// Recognises a store by its three tables and the columns of its errors.
  static func recognise(_ tables: SystemTables) -> SDK.Recognition? {
    typealias Tables = AzureMobileDotnet
    guard tables.has(Tables.operations, Tables.operationColumns),
      tables.has(Tables.configuration, Tables.configurationColumns),
      tables.has(Tables.errors, ["status", "kind", "version"]),
      !tables.has(Tables.errors, ["httpStatus"]),
      !tables.has(Tables.operations, ["tableKind"]),
      !tables.has(Tables.operations, ["createdAt"])
    else { return nil }
    var evidence = [
      "tables \(Tables.operations), \(Tables.errors) and \(Tables.configuration)",
      "errors have status, kind and version",
    ]
    let isInherited = tables.declaredType(of: "value", in: Tables.configuration) != "integer"
    if isInherited {
      evidence.append(
        "unlike a fresh store: values of \(Tables.configuration) are not declared INTEGER; "
          + "an older SDK may have made the file, and codes may mean what they meant there")
      evidence.append("times below 10^11 are seconds of the older SDK, others are milliseconds")
    }
    var queue = queue
    if isInherited {
      queue.operations.stranger = stranger
      queue.operations.strangerStates = strangerStates
    }
    var layout = RecognisedTables(
      layout: .datasyncDotnet, evidence: evidence, systemTables: Tables.systemTables,
      columns: columns(isInherited ? .either : .milliseconds), queue: queue)
    if isInherited {
      layout.findings = [
        .twoGenerations(
          "values of __config are not declared INTEGER; times below 10^11 are read as the older "
            + "one's seconds")
      ]
    }
    return .tables(layout)
  }

  /// The forerunners spelled ids with hyphens, and meant other things by their codes.
  private static func stranger(_ id: String) -> String? {
    guard id.utf8.count == 36, id.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4 else {
      return nil
    }
    return "the operation has an id of the SDK before this one, in whose codes 0 is insert, 1 "
      + "update and 2 delete; here they mean nothing, delete and insert"
  }

  /// This SDK writes none of them as completed, so that 2 is what the forerunners meant by it.
  private static let strangerStates: [Int64: OperationState] = [
    0: .pending, 1: .attempted, 2: .failed, 3: .failed,
  ]

  /// Times are milliseconds since 1970, beside the seconds that the forerunners may have left;
  /// there is no `createdAt`.
  private static func columns(_ unit: StoredTime.Unit) -> ColumnRules {
    let time = StoredTime(unit: unit, spelling: .iso)
    return ColumnRules(
      declared: AzureMobileDotnet.declaredTypes(time: unit),
      system: SystemColumn.all(time: time).filter { $0.role != .createdAt }, time: time)
  }

  /// A token is called `dt.<table>.<query>`; a table's name has no full stop, a query may.
  private static let queue = AzureMobileDotnet.queueTables(
    kinds: [1: .delete, 2: .insert, 3: .update],
    states: [0: .pending, 1: .attempted, 2: .completed, 3: .failed],
    errorColumns: ("kind", "status", "version"),
    tokens: QueueTables.Tokens(
      table: AzureMobileDotnet.configuration, key: "id", value: "value", time: .milliseconds
    ) { key, _, names in
      let parts = key?.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false) ?? []
      guard parts.count == 3, parts[0] == "dt" else { return nil }
      return QueueTables.Target(
        table: names.canonical(String(parts[1])), query: String(parts[2]))
    })
}
