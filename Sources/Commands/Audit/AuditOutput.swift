import Audit
import Bytes
import CommandLineKit
import Records

/// Where audits go: JSON or text to standard output, CSV and HTML to files.
struct AuditOutput: ~Copyable {
  private let settings: RunSettings
  private var json: AuditJSON?
  private var csv: OperationsCSV?
  private var staged: StagedOutput?
  private var page: AuditPage?
  private let pageFile: AuditPageFile?
  private var summaries: [StoreSummary] = []
  private let storeCount: Int

  /// Begins the outputs that the options ask for; several threads may spell them.
  ///
  /// - Throws: `StoreError` when a file cannot be made.
  init(_ settings: RunSettings, storeCount: Int, threads: Int) throws(StoreError) {
    self.settings = settings
    self.storeCount = storeCount
    if let path = settings.arguments.value("csv")?.text {
      staged = try storeErrors { () throws(FileError) in
        try StagedOutput(for: path, replacing: settings.arguments.flag("force"))
      }
      csv = OperationsCSV()
    }
    let pagePath = settings.arguments.value("html")?.text
    let pageFile = try pagePath.map { (path) throws(StoreError) in
      try AuditPageFile(for: path, replacing: settings.arguments.flag("force"))
    }
    self.pageFile = pageFile
    if let pageFile {
      page = AuditPage(storeCount: storeCount) { (bytes) throws(StoreError) in
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
    summaries.append(StoreSummary(audit, name: path))
    if json != nil {
      try json?.add(audit)
    } else if !settings.isQuiet {
      let text = AuditText(audit, style: settings.console.terminal.outputStyle)
      // Many stores are compared first; each is shown whole when asked for.
      if storeCount == 1 || settings.isVerbose { try settings.console.print(text.text) }
    }
    try page?.add(audit, name: storeCount > 1 ? path : nil)
    guard var lines = csv.take() else { return }
    try lines.add(audit) { (bytes) throws(StoreError) in
      try storeErrors { () throws(FileError) in try staged?.write(bytes.span) }
    }
    csv = lines
  }

  /// Ends all outputs and publishes the files, unless not one store could be read.
  ///
  /// - Throws: `StoreError` when an output cannot be completed.
  consuming func finish() throws(StoreError) {
    if json != nil {
      try json?.finish()
    } else if storeCount > 1, !settings.isQuiet {
      try settings.console.print(summaries.table(settings.console))
    }
    // A page or list of nothing would look as if nothing had been waiting.
    guard !summaries.isEmpty else { return }
    try page?.finish()
    try pageFile?.publish()
    guard let staged = staged.take() else { return }
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }
}
