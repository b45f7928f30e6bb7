import Bytes
package import Records
import SyncSDKs

extension StorePart {
  /// How a section is called in links and for people, and what to do about what is in it.
  typealias SectionWords = (id: StaticString, title: StaticString, hint: StaticString)

  static func words(_ fate: ChangeFate) -> SectionWords {
    switch fate {
    case .decide:
      (
        "decide", "You must decide",
        """
        Nothing was overwritten: these changes still wait. Compare both copies. To send the \
        device’s, replay with <code>--on-conflict client-wins</code>; to keep the server’s, with \
        <code>--on-conflict server-wins</code>; to give a change up, <code>rehome ops drop</code> \
        in a converted store. A change without a condition meets no conflict and is sent whatever \
        the policy: give it up where the server’s copy is to stay. What was refused has to be \
        mended first.
        """
      )
    case .lost:
      (
        "lost", "Cannot be sent",
        """
        What these changes would send is not in the store, or cannot be read. Look for a copy in \
        an older backup of the device; then give the change up, or enter it by hand.
        """
      )
    case .ready:
      (
        "ready", "Can still be sent",
        """
        <code>rehome replay --dry-run</code> prints the requests, and <code>rehome replay</code> \
        sends them; both ask nothing further for these.
        """
      )
    case .settled:
      (
        "settled", "Settled",
        "These were sent, or somebody has dropped them. Nothing is left to do."
      )
    }
  }

  /// Opens the section of the changes with one fate, in short without what to do about them.
  mutating func openChanges(_ fate: ChangeFate, isShort: Bool = false) {
    let words = Self.words(fate)
    html.openSection(words.id, words.title, count: changes.counts[fate], level: level)
    if isShort { return }
    html.markup("<p class=hint>")
    html.markup(words.hint)
    html.markup("</p>\n")
  }

  /// One change as a card, of which findings tell with some codes; a short one has no fields.
  mutating func addCard(_ change: Change, _ codes: [String], isShort: Bool = false) {
    html.markup("<article class=\"item ")
    html.markup(Self.words(change.fate).id)
    html.markup("\"")
    // In a fleet's short form no finding leads here.
    if !isShort || !isOfFleet { html.operationID(change.sequence) }
    html.markup(">\n")
    addCardHeading(change)
    // In short, a change of which nothing is to be told is its heading alone.
    let isPlain = change.sequences.count == 1 && change.first.state == .pending
    if !isShort || !isPlain || !codes.isEmpty || !change.errors.isEmpty {
      html.markup("<dl>\n")
      addOperations(change)
      addReasons(change)
      if !isShort { addSending(change) }
      add(codes)
      html.markup("</dl>\n")
    }
    if !isShort { addFields(of: change) }
    html.markup("</article>\n")
  }

  private mutating func addCardHeading(_ change: Change) {
    html.openHeading(level + 1)
    switch change.kind {
    case .insert: html.markup("<b class=insert>insert</b> ")
    case .update: html.markup("<b class=update>update</b> ")
    case .delete: html.markup("<b class=delete>delete</b> ")
    case nil: html.markup("<b class=unreadable>unreadable</b> ")
    }
    html.text(change.table ?? "(no table)")
    html.markup(" <code>")
    html.shortened(change.itemID ?? "(no item)")
    html.markup("</code>")
    html.closeHeading(level + 1)
  }

  private mutating func addOperations(_ change: Change) {
    html.markup("<div><dt>State</dt><dd>")
    for (place, sequence) in change.shownSequences.enumerated() {
      guard let operation = place > 0 ? audit.operation(sequence) : change.first else { continue }
      if place > 0 {
        html.markup("; <span")
        html.operationID(operation.sequence)
        html.markup(">")
      }
      html.markup("operation ")
      html.number(Int(operation.sequence))
      if change.sequences.count > 1 {
        html.add(" (", operation.kind?.rawValue ?? "unreadable", ")")
      }
      html.add(", ", state(of: operation), "")
      if let device = audit.devices[operation.source] {
        html.add(", of ", device, "")
      }
      if place > 0 { html.markup("</span>") }
    }
    if change.unshownCount > 0 { html.add("; and ", change.unshownCount.grouped, " more") }
    html.markup("</dd></div>\n")
  }

  /// How an operation stands, in words; a decision of a person is told with its reason.
  private func state(of operation: PendingOperation) -> String {
    switch operation.state {
    case .pending: "waiting"
    case .attempted: "was being sent, and no answer was noted"
    case .failed: "failed when it was tried"
    case .completed: "done"
    case .dropped:
      "dropped"
        + ((audit.queue.marks.last(of: operation.sequence)?.mark.why).map { ": “\($0)”" } ?? "")
    }
  }

  private mutating func addReasons(_ change: Change) {
    let reasons =
      [change.effect.flatMap(audit.reasonNotToSend)].compactMap(\.self)
      + change.errors.prefix(10).map { audit.reason(ofError: $0) }
    if change.effect == nil, change.kind == nil { addReason("it cannot be read") }
    for reason in reasons { addReason(reason) }
    let outcomes = audit.outcomes(of: change)
    for outcome in outcomes.shown {
      let term: StaticString =
        outcome.isRehearsal ? "<div><dt>Rehearsal</dt><dd>" : "<div><dt>Replay</dt><dd>"
      html.add(term, outcome.sentence, "</dd></div>\n")
    }
    if let rest = outcomes.rest { html.add("<div><dt>Besides</dt><dd>", rest, "</dd></div>\n") }
  }

  private mutating func addReason(_ words: String) {
    html.markup("<div><dt>Reason</dt><dd>")
    html.shortened(words)
    html.markup("</dd></div>\n")
  }

  private mutating func addSending(_ change: Change) {
    guard let effect = change.effect, change.fate != .settled else { return }
    html.markup("<div><dt>A replay would</dt><dd>")
    html.shortened(audit.request(of: effect))
    html.markup("</dd></div>\n")
  }

  /// The codes of the findings about a change, each once.
  func codes(of change: Change) -> [String] {
    var codes: [String] = []
    for sequence in change.shownSequences {
      codes += findings(of: sequence).filter { !codes.contains($0) }
    }
    return codes
  }

  private mutating func add(_ codes: [String]) {
    guard !codes.isEmpty else { return }
    html.markup("<div><dt>Findings</dt><dd>")
    for (place, code) in codes.enumerated() {
      if place > 0 { html.markup(", ") }
      html.findingLink(code)
    }
    html.markup("</dd></div>\n")
  }
}

extension Effect {
  /// What a replay would do about it, in words for people.
  fileprivate var request: String {
    let condition =
      baseVersion.map { " only if the server's version is still \($0)" }
      ?? " without a condition, whatever the server has"
    return switch kind {
    case .insert: "create the item, unless the server has one of that id"
    case .update: "write its fields," + condition
    case .delete:
      "delete the item," + condition + (acceptsMissing ? "; it need not be there" : "")
    }
  }
}

extension Delivery {
  /// What became of an operation at a target, as a sentence.
  package var sentence: String {
    let status = status.map { ", status \($0)" } ?? ""
    let detail = detail.map { ": " + $0 } ?? ""
    return "\(outcome.words) at \(target), \(time.text)\(status)\(detail)"
  }
}

extension StoreAudit {
  /// What a replay would do about an effect, in words for people.
  package func request(of effect: Effect) -> String {
    if let reason = reasonNotToSend(effect) { return "send nothing, because " + reason }
    guard sdks[effect.device].sendsSets else { return effect.request }
    return switch effect.kind {
    case .insert: "create the object, to which the server then gives an id"
    case .update: "send its changes as they were stored, unless the server's object is newer"
    case .delete: "delete the object, unless the server's is newer"
    }
  }

  /// What a person has to look at before a change is sent, as the findings about it are called.
  package func questions(about change: Change) -> [String] {
    guard change.sequences.contains(where: asksFirst) else { return [] }
    let codes = Set(change.sequences.lazy.flatMap { findings.codes(ofOperation: $0) })
    return FindingCatalogue.all.filter { $0.asksFirst && codes.contains($0.code) }.map(\.title)
  }

  /// Why an operation failed, in a sentence with the words of the server or the SDK.
  package func reason(ofError place: Int) -> String {
    let (error, assessment) = (queue.errors[place], assessments[place])
    let numbers =
      [error.status.map { "status \($0)" }, error.code.map { "code \($0)" }].compactMap(\.self)
    let words = error.message.flatMap { $0.isEmpty ? nil : ": “\($0)”" } ?? ""
    return (assessment.bond == .current ? "" : "earlier, before the operation changed: ")
      + assessment.cause.title
      + (numbers.isEmpty ? "" : " (\(numbers.joined(separator: ", ")))") + words
  }
}
