import Bytes
import Records

/// What a page says about one store, written piece by piece.
struct StorePart {
  var html = HTMLText()
  let audit: StoreAudit
  let name: String
  let changes: ChangeList
  let level: Int
  /// Whether other stores are on the page, which then explains findings once for all.
  let isOfFleet: Bool

  init(_ audit: StoreAudit, name: String, isOfFleet: Bool) {
    self.audit = audit
    self.name = name
    self.isOfFleet = isOfFleet
    level = isOfFleet ? 3 : 2
    changes = audit.changes
  }

  func findings(of operation: Int64) -> [String] { audit.findings.codes(ofOperation: operation) }

  /// One sentence that says how the store stands.
  var lead: String {
    let counts = changes.counts
    guard counts.waiting > 0 else {
      let settled = counts[.settled]
      return audit.source.nothingWaits(audit.findings.codes)
        + (settled > 0 ? " \(settled.counted("change is", "changes are")) settled." : "")
    }
    let operations = audit.effects.traits.pending.count
    let parts: [(ChangeFate, String, String)] = [
      (.decide, "needs your decision", "need your decision"),
      (.lost, "cannot be sent", "cannot be sent"),
      (.ready, "can still be sent as it is", "can still be sent as they are"),
    ]
    let words = parts.filter { counts[$0.0] > 0 }.map {
      counts[$0.0].grouped + " " + (counts[$0.0] == 1 ? $0.1 : $0.2)
    }
    return counts.waiting.counted("change", "changes")
      + " (\(operations.counted("operation", "operations")))"
      + (counts.waiting == 1 ? " has" : " have") + " not reached the server: "
      + words.joined(separator: ", ") + "."
      + (audit.source.caveat(audit.findings.codes).map { " But \($0)." } ?? "")
  }

  /// What the store is, in a few words.
  var layout: String {
    ([audit.source.layout.rawValue]
      + [audit.source.generation.map { "generation " + $0 }].compactMap(\.self))
      .joined(separator: ", ")
  }

  mutating func addLinks() {
    let parts: [(StaticString, StaticString, Int)] = [
      ("decide", "Your decisions", changes.counts[.decide]),
      ("lost", "Cannot be sent", changes.counts[.lost]),
      ("ready", "Can be sent", changes.counts[.ready]),
      ("settled", "Settled", changes.counts[.settled]),
      ("findings", "Findings", audit.findings.places(in: audit.findings.indices)),
      ("source", "What was read", 0),
    ]
    html.markup("<nav aria-label=\"Parts of the audit\"><ul>\n")
    for (id, title, count) in parts where count > 0 || id.isAlwaysLinked {
      html.markup("<li><a href=\"#")
      html.markup(id)
      html.markup("\">")
      html.markup(title)
      if count > 0 { html.add(" <b>", count.grouped, "</b>") }
      html.markup("</a></li>\n")
    }
    html.markup("</ul></nav>\n")
  }

  /// Numbers, charts, and the kinds of findings at a glance.
  mutating func addGlance() {
    html.markup("<div class=numbers>\n")
    let numbers: [(ChangeFate, StaticString, one: StaticString, several: StaticString)] = [
      (.decide, "decide", "waits for your decision", "wait for your decision"),
      (.lost, "lost", "cannot be sent any more", "cannot be sent any more"),
      (.ready, "ready", "can be sent as it is", "can be sent as they are"),
      (.settled, "settled", "is settled", "are settled"),
    ]
    for (fate, style, one, several) in numbers where fate != .settled || changes.counts[fate] > 0 {
      html.markup("<p class=\"number ")
      html.markup(style)
      html.add("\"><b>", changes.counts[fate].grouped, "</b> ")
      html.markup(changes.counts[fate] == 1 ? one : several)
      html.markup("</p>\n")
    }
    html.markup("</div>\n")
    if !audit.effects.isEmpty, let words = audit.wordsOfService {
      html.add("<p>Note: ", words, ".</p>\n")
    }
    addFindingsAtAGlance()
    html.markup("<div class=cards>\n")
    addKindChart()
    addFailureChart()
    addTimeline()
    html.markup("</div>\n")
  }
}

extension StaticString {
  /// Whether the part with this name is there in any case.
  fileprivate var isAlwaysLinked: Bool { description == "source" }
}
