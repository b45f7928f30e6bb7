import Bytes
import CommandLineKit
import Records
import Replay

/// What a replay would send, shown or written down without sending it.
struct ReplayPreview {
  let source: ReplaySource
  let options: ReplayOptions
  let settings: RunSettings

  /// The longest body that is shown whole; the plan file has all of each.
  private static let bodyLimit = 2000

  /// Shows or writes the plan.
  ///
  /// - Throws: `StoreError` when the store cannot be read or the plan cannot be written.
  func run() throws(StoreError) -> ExitCode {
    let planned = try PlannedReplay(source, options, settings)
    if let path = settings.arguments.value("plan")?.text {
      try write(planned, to: path)
      settings.say(
        "the plan of \(Quantity.count(planned.plan.count, "request", "requests")) is in "
          + escapedForTerminal(path))
    }
    if settings.wantsJSON {
      try planned.writeJSON(settings.console.writeOutput)
    } else if settings.arguments.flag("dry-run") {
      try show(planned)
    }
    return .complete
  }

  private func write(_ planned: PlannedReplay, to path: String) throws(StoreError) {
    var staged = try storeErrors { () throws(FileError) in
      try StagedOutput(for: path, replacing: settings.arguments.flag("force"))
    }
    try planned.writeJSON { (bytes) throws(StoreError) in
      try storeErrors { () throws(FileError) in try staged.write(bytes.span) }
    }
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }

  private func show(_ planned: PlannedReplay) throws(StoreError) {
    let console = settings.console
    let style = console.terminal.outputStyle
    for id in 0..<planned.plan.count {
      guard let step = planned.plan[id] else { continue }
      try settings.checkInterruption()
      try console.print(text(step, of: planned, style) + "\n")
    }
    for held in planned.plan.held {
      let table = planned.operation(held)?.table ?? "no table"
      try console.print(
        style.yellow("not sent") + ": operation \(held.sequence), \(escapedForTerminal(table)), "
          + "because \(held.reason.words)\n")
    }
    let done = planned.plan.done.count
    let name = planned.machineSettings.dialect.rawValue
    try console.print(
      "\(Quantity.count(planned.plan.count, "request", "requests")) to "
        + "\(escapedForTerminal(planned.target)) in dialect \(name), "
        + "\(Quantity.count(planned.plan.held.count, "operation", "operations")) not sent, "
        + "\(Quantity.count(done)) done before; nothing was sent\n")
  }

  private func text(
    _ step: ReplayStep, of planned: PlannedReplay, _ style: TextStyle
  ) throws(StoreError) -> String {
    let sequences = step.effect.sequences.map(String.init).joined(separator: ", ")
    var lines = [
      style.bold("\(step.effect.kind.rawValue) \(escapedForTerminal(step.table)) ")
        + "\(escapedForTerminal(step.itemID)) (operation \(sequences))"
    ]
    if step.isInDoubt { lines.append("  asks the server first whether it arrived before") }
    if let request = try planned.request(step) {
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      lines.append("  \(request.method) \(request.path)" + (query.isEmpty ? "" : "?" + query))
      if let condition = request.condition {
        lines.append("  If-Match: " + escapedForTerminal(condition))
      }
      if let body = request.body { lines.append("  " + shown(body)) }
    } else {
      lines.append("  " + style.yellow("not sent") + ": " + PendingReason.withoutRow.words)
    }
    let doubts = planned.doubts(about: step)
    if !doubts.isEmpty {
      lines.append("  " + style.yellow("doubtful") + ": " + doubts.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private func shown(_ body: [UInt8]) -> String {
    guard body.count > Self.bodyLimit, !settings.isVerbose else {
      return escapedForTerminal(String(decoding: body, as: UTF8.self))
    }
    let start = String(decoding: body.prefix(Self.bodyLimit), as: UTF8.self)
    return escapedForTerminal(start) + "… (\(Quantity.count(body.count, "byte", "bytes")))"
  }
}
