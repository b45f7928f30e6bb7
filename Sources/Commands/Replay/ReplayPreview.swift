import Bytes
import CommandLineKit
import Records
import Replay

/// What a replay would send, shown or written down without sending it.
struct ReplayPreview {
  let source: ReplaySource
  let options: ReplayOptions
  let session: Session

  /// The longest body that is shown whole; the plan file has all of each.
  private static let bodyLimit = 2000

  /// Shows the plan; the report of what was not sent is the plan, too.
  func run(_ report: consuming StagedOutput?) throws(StoreError) -> ExitCode {
    let paths = ["plan", "report"].compactMap { session.arguments.value($0)?.text }
    let plan = try session.beginFile("plan")
    let planned = try PlannedReplay(
      source, options, session, hashesContent: !paths.isEmpty || session.wantsJSON,
      tellsPerson: true)
    if case .server = options.destination {
      try ServerTarget.checkFiles(for: planned.machineSettings.dialect, session)
    }
    try write(planned, to: plan)
    try write(planned, to: report)
    for path in paths {
      session.say(
        "the plan of \(planned.plan.count.counted("request", "requests")) is in "
          + escapedAsOneWord(path))
    }
    if session.wantsJSON {
      try planned.writeJSON(session.console.writeOutput)
    } else if session.arguments.flag("dry-run") {
      try show(planned)
    }
    return .complete
  }

  private func write(
    _ planned: PlannedReplay, to file: consuming StagedOutput?
  ) throws(StoreError) {
    guard let file = consume file else { return }
    try session.finish(file) { (write) throws(StoreError) in try planned.writeJSON(write) }
  }

  private func show(_ planned: PlannedReplay) throws(StoreError) {
    let style = session.console.terminal.outputStyle
    var output = TextOutput(session)
    for id in 0..<planned.plan.count {
      guard let step = planned.plan[id] else { continue }
      try output.add(
        heading(of: step, style), listing: step.effect.sequences,
        ")\n" + text(step, of: planned, style))
    }
    for held in planned.plan.held {
      let table = planned.operation(held)?.table ?? "no table"
      try output.add(
        style.yellow("not sent") + ": operation \(held.sequence), \(escapedForTerminal(table)), "
          + "because \(held.reason.words)\n")
    }
    let dropped = planned.plan.done.count { $0.outcome == .dropped }
    let done = planned.plan.done.count - dropped
    let target = planned.target.isEmpty ? "" : " to \(escapedForTerminal(planned.target))"
    let name = planned.machineSettings.dialect.rawValue
    try output.add(
      "\(planned.plan.count.counted("request", "requests"))\(target) in dialect \(name), "
        + "\(planned.plan.held.count.counted("operation", "operations")) not sent, "
        + (dropped > 0 ? "\(dropped.grouped) dropped, " : "")
        + "\(done.grouped) done before; nothing was sent\n")
    try output.finish()
  }

  private func heading(of step: ReplayStep, _ style: TextStyle) -> String {
    style.bold("\(step.effect.kind.rawValue) \(escapedForTerminal(step.table)) ")
      + "\(escapedForTerminal(step.itemID)) (operation "
  }

  private func text(
    _ step: ReplayStep, of planned: PlannedReplay, _ style: TextStyle
  ) throws(StoreError) -> String {
    var text = ""
    if step.isInDoubt { text += "  asks the server first whether it arrived before\n" }
    if let request = try planned.request(step) {
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      text += "  \(request.method) \(request.path)\(query.isEmpty ? "" : "?" + query)\n"
      if let condition = request.condition {
        text += "  If-Match: \(escapedForTerminal(condition))\n"
      }
      if let body = request.body { text += "  \(shown(body))\n" }
    } else {
      text += "  " + style.yellow("not sent") + ": \(PendingReason.withoutRow.words)\n"
    }
    let doubts = planned.doubts(about: step)
    if !doubts.isEmpty {
      text += "  " + style.yellow("doubtful") + ": \(doubts.joined(separator: ", "))\n"
    }
    return text
  }

  private func shown(_ body: [UInt8]) -> String {
    guard body.count > Self.bodyLimit, !session.isVerbose else {
      return escapedJSONForTerminal(String(decoding: body, as: UTF8.self))
    }
    let start = String(decoding: body.prefix(Self.bodyLimit), as: UTF8.self)
    return escapedJSONForTerminal(start) + "… (\(body.count.counted("byte", "bytes")))"
  }
}
