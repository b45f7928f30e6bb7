import Bytes
import Canonical
import CommandLineKit
import Records
import Replay
import SyncSDKs

extension ReplayOptions {
  /// How the machine is to go about a queue of a store.
  func machineSettings(
    of store: any OpenStore, _ queue: ReplayQueue, _ arguments: ParsedArguments
  ) throws(StoreError) -> ReplaySettings {
    var machine = ReplaySettings(dialect: try dialect(of: queue, arguments))
    machine.tables = try Self.tableMap(arguments, queue.catalogue)
    if case .server = destination { Self.addOwnNames(of: queue.catalogue, to: &machine.tables) }
    let renamed = Set(queue.catalogue.renamedTables.map { ExactText($0) })
    for fact in try store.queueFacts() {
      // The name that a person has given says more than the type.
      guard let table = fact.typedTable, !renamed.contains(ExactText(table)) else { continue }
      machine.tables.setType(of: table, to: fact.value)
    }
    machine.conflicts = try Self.conflictRules(arguments)
    machine.jobs = arguments.flag("jobs") ? jobs : defaultJobs(of: machine)
    machine.rate = rate.map(Double.init)
    machine.maxFailures = maxFailures
    machine.maxAttempts = attempts
    machine.seed = UInt64.random(in: .min ... .max)
    return machine
  }

  /// How many requests are under way at once where nobody says.
  private func defaultJobs(of machine: ReplaySettings) -> Int {
    // The SDK of Parse sends one after another, and changes of several objects belong together.
    if machine.dialect.sendsSets { return 1 }
    // Others would be under way, or be answered, before the one that ends the run.
    if machine.conflicts.mayStop || maxFailures != nil { return 1 }
    return jobs
  }

  /// The dialect that was named, otherwise the one that the store's SDK spoke.
  private func dialect(
    of queue: ReplayQueue, _ arguments: ParsedArguments
  ) throws(StoreError) -> Dialect {
    let origins = queue.origins
    if let name = arguments.value("dialect")?.text, let dialect = Dialect(rawValue: name) {
      return dialect == .parse ? try parseDialect(of: origins) : dialect
    }
    guard let first = origins.first else { return dialectOfNothing(queue.sdks) }
    if let service = origins.lazy.compactMap({ SDK.traits(of: $0).service }).first,
      case .server = destination
    {
      throw StoreError(
        .usage, "the store's service spoke \(service), which is not spoken here",
        hint: "rehearse with --to STORE, or export the store; --dialect names what another service "
          + "speaks" + (origins.count > 1 ? ", and --table sends only what is on other tables" : "")
      )
    }
    guard Set(origins.map { SDK.traits(of: $0).dialect }).count == 1 else {
      throw StoreError(
        .usage,
        "the operations come from stores whose servers speak differently: "
          + origins.map { [$0.layout, $0.generation].compactMap(\.self).joined(separator: " ") }
          .joined(separator: ", "),
        hint:
          "send those of one kind with --table, where they are on tables of their own; else convert "
          + "the stores of each kind by themselves, and replay one after the other; where one server "
          + "takes all of them, --dialect names what it speaks")
    }
    let sdk = SDK.traits(of: first)
    if case .store = destination, sdk.sendsSets { return .rows }
    guard let dialect = sdk.dialect else {
      throw StoreError(
        .usage, "the store does not tell what its server speaks",
        hint: "--dialect v1, v2, v3 or toolkit")
    }
    return dialect
  }

  /// The dialect of a store without operations, which has nothing to say in any: that of its SDK, where
  /// there is one.
  private func dialectOfNothing(_ sdks: DeviceSDKs) -> Dialect {
    let spoken = sdks.origins(of: sdks.numbers { _ in true }).map { SDK.traits(of: $0).dialect }
    guard Set(spoken).count == 1, let dialect = spoken.first ?? nil, !dialect.sendsSets else {
      return .v3
    }
    return dialect
  }

  /// The dialect of Parse, whose changes only a store of Parse holds; the rehearsal has its own.
  private func parseDialect(
    of origins: [(layout: String, generation: String?)]
  ) throws(StoreError) -> Dialect {
    if let other = origins.first(where: { !SDK.traits(of: $0).sendsSets }) {
      throw StoreError(
        .usage, "a store of \(other.layout) holds no changes as Parse takes them",
        hint: "leave --dialect away, or choose another one")
    }
    if case .store = destination { return .rows }
    return .parse
  }

  /// Lets the server see the app's own names of tables that could not keep them here.
  private static func addOwnNames(of catalogue: Catalogue, to map: inout TableMap) {
    for (table, appName) in zip(catalogue.tables, catalogue.appNames)
    where !hasSameBytes(table.name, appName) {
      map.setOwnName(of: table.name, to: appName)
    }
  }

  private static func tableMap(
    _ arguments: ParsedArguments, _ catalogue: Catalogue
  ) throws(StoreError) -> TableMap {
    var map = TableMap()
    var told: [ExactText: String] = [:]
    for text in arguments.values("map").map(\.text) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw StoreError(.usage, "--map takes TABLE=NAME, not \(text)")
      }
      guard told.updateValue(parts[1], forKey: ExactText(parts[0])) ?? parts[1] == parts[1] else {
        throw StoreError(
          .usage, "--map \(text): another --map calls the table otherwise",
          hint: "leave one of them away")
      }
      try add(parts[0], parts[1], to: &map)
    }
    return map
  }

  private static func add(
    _ table: String, _ name: String, to map: inout TableMap
  ) throws(StoreError) {
    // In a whole path the slash in front may be left out.
    let path = name.contains("/") && !name.hasPrefix("/") ? "/" + name : name
    guard map.map(table, to: path) else {
      throw StoreError(.usage, "--map: \(name) cannot be part of an address")
    }
  }

  private static func conflictRules(
    _ arguments: ParsedArguments
  ) throws(StoreError) -> ConflictRules {
    let policy = arguments.value("on-conflict").flatMap { ConflictPolicy(rawValue: $0.text) }
    var rules = ConflictRules(policy ?? .skip)
    if let path = try arguments.file(of: "rules") { try rules.addTable(at: path) }
    return rules
  }
}
