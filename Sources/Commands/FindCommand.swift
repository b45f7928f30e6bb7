import Bytes
import CommandLineKit
import Places
import Records

/// `rehome find`: the stores in folders, archives and device backups.
enum FindCommand {
  static let description = Command(
    name: "find",
    summary: "find the stores in folders, archives and device backups",
    discussion: [
      "Looks through each place and shows every store in it, recognised by its content: which "
        + "layout it has, how many rows, and what waits in its queue. A place is a folder, an iOS "
        + "backup, an .xcappdata, an Android backup, a ZIP, a tar, a tar.gz or a gz; one may lie in "
        + "the other. What is no store is counted by kind. Nothing is changed.",
      "A store is called by its path as given and, behind a !, by its path inside the container. "
        + "Every command that takes a store takes such places, too.",
    ],
    examples: [
      Command.Example("rehome find shelf/", "show every store below a folder"),
      Command.Example(
        "rehome find --json MobileSync/Backup/*", "a line of JSON for each store in some backups"),
    ],
    options: PlaceOptions.all + CommonOptions.reading + CommonOptions.reporting,
    positionals: [PlaceOptions.positional("PLACE")],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .usage, .notAStore, .inputMissing, .inputOutput,
      .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-inspect(1)", "rehome-audit(1)"])

  /// Looks at every store; one that cannot be read is a line like the others.
  static func run(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    let shelf = try settings.openShelf("PLACE")
    var summary = FindSummary()
    var progress = settings.makeProgress()
    defer { progress.clear() }
    var failure: StoreError?
    var work = OrderedWork<FindItem, FoundStore>(threads: threadCount()) {
      { item, emit in
        var limits = InputLimits.current
        // There are as many stores at a time as there are processors.
        limits.threads = 1
        let found = InputLimits.$current.withValue(limits) { FoundStore(item, settings) }
        _ = emit(found)
      }
    }
    func show(_ found: FoundStore) throws(StoreError) {
      if let stop = found.stop { throw stop }
      summary.add(found)
      progress.clear()
      let line = settings.wantsJSON ? found.json.compactText + "\n" : found.text(settings)
      try settings.console.print(line)
      progress.update(done: summary.stores, total: shelf.stores.count, label: "stores")
    }
    do {
      for store in shelf.stores {
        try settings.checkInterruption()
        work.put(FindItem(store, shelf)) { found in
          guard failure == nil else { return }
          do throws(StoreError) { try show(found) } catch { failure = error }
        }
        if let failure { throw failure }
      }
      work.finish { found in
        guard failure == nil else { return }
        do throws(StoreError) { try show(found) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    progress.clear()
    settings.say(summary.text(of: shelf))
    return summary.exitCode(of: shelf, settings)
  }
}

/// A store that is to be looked at, or why its files cannot be had.
private struct FindItem: Sendable {
  let name: String
  let device: String?
  let container: String?
  let containerKind: String?
  let findings: [Finding]
  /// The stable word for why its files cannot be had.
  let code: String?
  let store: Result<StoreOnDisk, StoreError>

  init(_ store: ShelvedStore, _ shelf: Shelf) {
    (name, device, container) = (store.name, store.device?.shown, store.container)
    containerKind = store.containerKind
    findings = store.findings
    do throws(PlaceFailure) {
      self.store = .success(try shelf.open(store))
      code = nil
    } catch {
      self.store = .failure(error.storeError(path: store.name))
      code = error.code.rawValue
    }
  }
}

/// What was found out about a store.
private struct FoundStore: Sendable {
  let item: FindItem
  private(set) var source: SourceDescription?
  private(set) var bytes: Int?
  private(set) var rows: Int?
  private(set) var queue = QueueCounts()
  private(set) var codes: [String] = []
  private(set) var worst: Severity?
  private(set) var error: StoreError?
  /// Why the whole run stops.
  private(set) var stop: StoreError?

  init(_ item: FindItem, _ settings: RunSettings) {
    self.item = item
    do throws(StoreError) {
      try look(settings)
    } catch {
      let error = settings.budget.error(insteadOf: error)
      if error.kind == .interrupted { stop = error } else { self.error = error }
    }
  }

  private mutating func look(_ settings: RunSettings) throws(StoreError) {
    let store = try item.store.get()
    let reader = try settings.openStore(store.path)
    var rows = 0
    for index in reader.catalogue.tables.indices {
      try settings.checkInterruption()
      rows += try reader.countRows(inTable: index)
    }
    let queue = try reader.readDecodedQueue()
    let findings = item.findings + reader.findings + queue.findings
    source = reader.source
    bytes = Paths.isDirectory(store.path) ? nil : fileSize(of: store.path)
    self.rows = rows
    self.queue = QueueCounts(queue)
    worst = findings.map(\.severity).max()
    codes = Set(findings.map(\.code)).sorted()
  }

  /// The line for a program.
  var json: ReportJSON {
    [
      "store": .string(item.name), "device": ReportJSON(item.device),
      "container": ReportJSON(item.container), "containerKind": ReportJSON(item.containerKind),
      "layout": ReportJSON(source?.layout.rawValue), "generation": ReportJSON(source?.generation),
      "bytes": bytes.map { ReportJSON(count: $0) } ?? .null,
      "rows": rows.map { ReportJSON(count: $0) } ?? .null,
      "queue": rows == nil ? .null : ReportJSON(queue),
      "findings": .array(codes.map(ReportJSON.string)),
      "error": error.map { error in
        [
          "code": .string(item.code ?? error.kind.rawValue), "message": .string(error.message),
          "hint": ReportJSON(error.hint),
        ]
      } ?? .null,
    ]
  }

  /// The lines for a person.
  func text(_ settings: RunSettings) -> String {
    let style = settings.console.terminal.outputStyle
    let name = style.bold(escapedForTerminal(item.name))
    let device = item.device.map { "  [\(escapedForTerminal($0))]" } ?? ""
    if let error {
      return "\(name)\(device)\n  cannot be read: \(escapedForTerminal(error.message))\n"
    }
    var facts = [source?.layout.rawValue ?? ""]
    if let generation = source?.generation { facts[0] += " \(generation)" }
    facts.append(Quantity.count(rows ?? 0, "row", "rows"))
    if queue.operations > 0 {
      facts.append(Quantity.count(queue.operations, "operation waits", "operations wait"))
    }
    if queue.errors > 0 { facts.append(Quantity.count(queue.errors, "error", "errors")) }
    facts += codes
    return "\(name)\(device)\n  \(escapedForTerminal(facts.joined(separator: ", ")))\n"
  }
}

/// What all stores of a run come to.
private struct FindSummary {
  private(set) var stores = 0
  private var unreadable = 0
  private var operations = 0
  private var worst: Severity?

  mutating func add(_ found: FoundStore) {
    if found.error != nil {
      unreadable += 1
    } else {
      stores += 1
      operations += found.queue.operations
      worst = [worst, found.worst].compactMap(\.self).max()
    }
  }

  /// The last lines for a person: how much there is, and what was only counted.
  func text(of shelf: Shelf) -> String {
    var lines = [
      Quantity.count(stores, "store", "stores") + ", "
        + Quantity.count(operations, "operation waits", "operations wait")
    ]
    if unreadable > 0 { lines[0] += ", \(Quantity.count(unreadable)) cannot be read" }
    var counts: [String: Int] = [:]
    for place in shelf.places {
      counts.merge(place.tally.counts, uniquingKeysWith: +)
      lines += place.tally.notes.map {
        "\(escapedForTerminal(place.path)): \(escapedForTerminal($0))"
      }
    }
    if !counts.isEmpty {
      let kinds = counts.sorted { $0.key < $1.key }.map { "\(Quantity.count($0.value)) \($0.key)" }
      lines.append("not stores: " + kinds.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  /// 65 when nothing could be read at all, 2 when something could not.
  func exitCode(of shelf: Shelf, _ settings: RunSettings) -> ExitCode {
    if unreadable > 0 { return stores > 0 ? .completeWithRejects : .notAStore }
    let isFailing = worst.map { worst in
      settings.failingSeverity.map { worst >= $0 } ?? false
    }
    return isFailing ?? false ? .completeWithRejects : .complete
  }
}

/// How many bytes a file has; zero where it cannot be looked at.
private func fileSize(of path: String) -> Int {
  (try? PositionedFile(opening: path))?.size ?? 0
}
