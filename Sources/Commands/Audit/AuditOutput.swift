import Audit
import Bytes
import CommandLineKit
import Exports
import Records

/// Where audits go: JSON or text to standard output, CSV and HTML to files, or one of them there.
struct AuditOutput: ~Copyable {
  private let session: Session
  private var json: AuditJSON?
  private var csv: OperationsCSV?
  private let csvFile: AuditOutput.File?
  private var page: AuditPage?
  private let pageFile: AuditOutput.File?
  private var summaries: [StoreSummary] = []
  /// The stores that are not shown because nothing is wrong with them.
  private var leftOut = LeftOutStores()
  private let storeCount: Int
  /// Whether standard output is for people.
  private let printsText: Bool

  /// Begins the outputs that the options ask for; several threads may spell them.
  init(_ session: Session, storeCount: Int, threads: Int) throws(StoreError) {
    let paths = ["csv", "html"].compactMap { session.arguments.value($0)?.text }
    let streams =
      paths.count { $0 == AuditOutput.File.standardOutput } + (session.wantsJSON ? 1 : 0)
    guard streams <= 1 else {
      throw StoreError(
        .usage, "standard output takes one of --json, --csv - and --html -",
        hint: "give a file to the others, as in --html audit.html")
    }
    guard session.arguments.flag("csv") || !session.arguments.flag("for") else {
      throw StoreError(
        .usage, "--for excel is for --csv", hint: "name the list, as in --csv operations.csv")
    }
    let csvFile = try Self.file(session, option: "csv")
    let pageFile = try Self.file(session, option: "html")
    self.session = session
    self.storeCount = storeCount
    self.csvFile = csvFile
    self.pageFile = pageFile
    printsText = streams == 0 && !session.isQuiet
    if csvFile != nil {
      csv =
        session.arguments.flag("for")
        ? OperationsCSV(start: byteOrderMark) { text, bytes in bytes.appendSpreadsheet(text) }
        : OperationsCSV()
    }
    if let pageFile {
      let origin = PageOrigin(
        toolVersion: Tool.version, time: .now, commandLine: session.arguments.commandLine())
      page = AuditPage(
        storeCount: storeCount, origin: origin, check: session.checkSignal, write: pageFile.write)
    }
    if session.wantsJSON {
      json = AuditJSON(threads: threads, write: session.console.printJSON)
    }
  }

  mutating func add(_ audit: StoreAudit) throws(StoreError) {
    let name = audit.source.shownName
    let leavesOut = session.arguments.flag("only-problems")
    // A long queue is sorted only where somebody asks.
    let isCompared = leavesOut || storeCount > 1
    let summary = StoreSummary(audit, name: name, fates: isCompared ? nil : FateCounts())
    if leavesOut, !summary.isProblem {
      leftOut.add(summary)
      page?.leaveOut(summary)
      return
    }
    summaries.append(summary)
    if json != nil {
      try json?.add(audit)
    } else if printsText {
      // Many stores are compared first; each is shown whole when asked for.
      if storeCount == 1 || session.isVerbose {
        let text = AuditText(audit, name: name, style: session.console.terminal.outputStyle)
        try session.console.show(text.text)
      }
    }
    try page?.add(audit, name: name)
    let file = csvFile
    try csv?.add(audit, name: name) { (bytes) throws(StoreError) in try file?.write(bytes) }
  }

  /// Tells of a store that cannot be read.
  mutating func add(_ store: UnreadableStore) throws(StoreError) {
    summaries.append(StoreSummary(store))
    if json != nil { try json?.add(store) }
    if storeCount > 1 { try page?.add(store) }
    let file = csvFile
    try csv?.add(store) { (bytes) throws(StoreError) in try file?.write(bytes) }
  }

  /// Ends all outputs and publishes the files, unless not one store could be read or these are not all.
  consuming func finish(ofAll isOfAll: Bool) throws(StoreError) {
    if json != nil {
      try json?.finish()
    } else if storeCount > 1, printsText, !summaries.isEmpty {
      try session.console.show(summaries.table(session.console))
    }
    if let words = leftOut.words { session.say(words) }
    // A page or list of nothing would look as if nothing had been waiting, one of some as if all were.
    guard isOfAll, summaries.contains(where: { $0.trouble == nil }) || leftOut.count > 0 else {
      for path in ["html", "csv"].compactMap({ session.arguments.value($0)?.text })
      where path != AuditOutput.File.standardOutput {
        session.say("\(escapedAsOneWord(path)) is not written")
      }
      return
    }
    try page?.finish()
    try pageFile?.publish()
    // Where no store had anything to tell, the header is still to come.
    if let rest = csv?.take() { try csvFile?.write(rest) }
    try csvFile?.publish()
  }

  private static func file(
    _ session: Session, option: String
  ) throws(StoreError) -> AuditOutput.File? {
    guard let path = session.arguments.value(option)?.text else { return nil }
    return try AuditOutput.File(for: path, session)
  }

  /// Where a page or a list goes: a file that appears when it is complete, or standard output.
  private final class File {
    static let standardOutput = "-"

    private var output: ExportOutput?
    private let session: Session

    /// Begins a file, or nothing where it is standard output that is meant.
    init(for path: String, _ session: Session) throws(StoreError) {
      self.session = session
      output =
        path == Self.standardOutput
        ? ExportOutput(to: session.console.printLines)
        : try ExportOutput(toFileAt: path, replacing: session.isReplacing)
    }

    /// Adds bytes, unless a signal has come.
    func write(_ bytes: [UInt8]) throws(StoreError) {
      try session.checkSignal()
      try output?.write(bytes)
    }

    func publish() throws(StoreError) { try output.take()?.finish() }
  }
}

extension [StoreSummary] {
  /// A line for each store, to compare many.
  func table(_ console: Console) -> String {
    let namesDevices = contains { $0.device != nil }
    var table = TextTable(
      columns: [.init("Store", isName: true)]
        + (namesDevices ? [.init("Device", isName: true)] : []) + [
          .init("Waiting", alignment: .right),
          .init("Failed", alignment: .right), .init("Errors", alignment: .right),
          .init("Warnings", alignment: .right), .init("Worst finding"),
        ])
    for place in StoreSummary.worstFirst(self) {
      let summary = self[place]
      let figures =
        summary.trouble.map { ["", "", "", "", "cannot be read: \($0)"] } ?? [
          summary.tellsWhatWaits ? summary.waiting.grouped : "",
          summary.failed.grouped,
          summary.errors.grouped, summary.warnings.grouped,
          summary.worst?.code ?? "",
        ]
      table.addRow([summary.name] + (namesDevices ? [summary.device ?? ""] : []) + figures)
    }
    return table.text(style: console.terminal.outputStyle)
  }
}
