import Audit
import Bytes
import CommandLineKit
import Records

/// Where audits go: JSON or text to standard output, CSV and HTML to files, or one of them there.
struct AuditOutput: ~Copyable {
  private let settings: RunSettings
  private var json: AuditJSON?
  private var csv: OperationsCSV?
  private let csvFile: AuditFile?
  private var page: AuditPage?
  private let pageFile: AuditFile?
  private var summaries: [StoreSummary] = []
  /// How many stores are not shown because nothing is wrong with them.
  private var leftOut = 0
  private let storeCount: Int
  /// Whether standard output is for people.
  private let printsText: Bool

  /// Begins the outputs that the options ask for; several threads may spell them.
  ///
  /// - Throws: `StoreError` when a file cannot be made, or two outputs are to go to one.
  init(_ settings: RunSettings, storeCount: Int, threads: Int) throws(StoreError) {
    let paths = ["csv", "html"].compactMap { settings.arguments.value($0)?.text }
    let streams = paths.count { $0 == AuditFile.standardOutput } + (settings.wantsJSON ? 1 : 0)
    guard streams <= 1 else {
      throw StoreError(
        .usage, "standard output takes one of --json, --csv - and --html -",
        hint: "give a file to the others, as in --html audit.html")
    }
    let csvFile = try Self.file(settings, option: "csv")
    let pageFile = try Self.file(settings, option: "html")
    self.settings = settings
    self.storeCount = storeCount
    self.csvFile = csvFile
    self.pageFile = pageFile
    printsText = streams == 0 && !settings.isQuiet
    if csvFile != nil { csv = OperationsCSV() }
    if let pageFile {
      let origin = PageOrigin(
        toolVersion: Tool.version, time: .now, commandLine: settings.arguments.commandLine())
      page = AuditPage(storeCount: storeCount, origin: origin) { (bytes) throws(StoreError) in
        try pageFile.write(bytes)
      }
    }
    if settings.wantsJSON {
      let console = settings.console
      json = AuditJSON(threads: threads) { (bytes) throws(StoreError) in
        try console.writeOutput(bytes)
      }
    }
  }

  /// Writes the audit of one store.
  ///
  /// - Throws: `StoreError` when an output cannot take it.
  mutating func add(_ audit: StoreAudit, path: String) throws(StoreError) {
    let leavesOut = settings.arguments.flag("only-problems")
    // A long queue is sorted only where somebody asks.
    let isCompared = leavesOut || storeCount > 1
    let summary = StoreSummary(audit, name: path, fates: isCompared ? nil : FateCounts())
    if leavesOut, !summary.isProblem {
      leftOut += 1
      page?.leaveOut()
      return
    }
    summaries.append(summary)
    let name = storeCount > 1 ? path : nil
    if json != nil {
      try json?.add(audit)
    } else if printsText {
      // Many stores are compared first; each is shown whole when asked for.
      if storeCount == 1 || settings.isVerbose {
        let text = AuditText(audit, name: name, style: settings.console.terminal.outputStyle)
        try settings.console.print(text.text)
      }
    }
    try page?.add(audit, name: name)
    guard var lines = csv.take() else { return }
    try lines.add(audit, name: name) { (bytes) throws(StoreError) in try csvFile?.write(bytes) }
    csv = lines
  }

  /// Tells of a store that cannot be read.
  ///
  /// - Throws: `StoreError` when an output cannot take it.
  mutating func add(_ store: UnreadableStore) throws(StoreError) {
    summaries.append(StoreSummary(store))
    if json != nil { try json?.add(store) }
    if storeCount > 1 { try page?.add(store) }
    guard var lines = csv.take() else { return }
    try lines.add(store) { (bytes) throws(StoreError) in try csvFile?.write(bytes) }
    csv = lines
  }

  /// Ends all outputs and publishes the files, unless not one store could be read.
  ///
  /// - Throws: `StoreError` when an output cannot be completed.
  consuming func finish() throws(StoreError) {
    if json != nil {
      try json?.finish()
    } else if storeCount > 1, printsText {
      try settings.console.print(summaries.table(settings.console))
    }
    if leftOut > 0 {
      settings.say(
        Quantity.count(leftOut, "store without problems is", "stores without problems are")
          + " left out")
    }
    // A page or list of nothing would look as if nothing had been waiting.
    guard summaries.contains(where: { $0.trouble == nil }) || leftOut > 0 else { return }
    try page?.finish()
    try pageFile?.publish()
    try csvFile?.publish()
  }

  private static func file(
    _ settings: RunSettings, option: String
  ) throws(StoreError) -> AuditFile? {
    guard let path = settings.arguments.value(option)?.text else { return nil }
    return try AuditFile(for: path, settings)
  }
}
