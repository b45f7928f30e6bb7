import Bytes
import Records

extension StorePart {
  /// What was read, with the proof of it, and what the store knows about pulls and replays.
  mutating func addSource(_ origin: PageOrigin?) {
    html.openSection("source", "What was read", count: nil, level: level)
    html.markup("<table class=facts><caption class=hidden>the source</caption><tbody>\n")
    if let path = audit.source.givenPath { html.row("Store", path) }
    if let twin = audit.twin { html.row("Same bytes as", twin) }
    html.row("Layout", layout)
    for file in audit.source.files.prefix(20) {
      html.row(
        "File", "\(file.name), \(file.bytes.counted("byte", "bytes")), SHA-256 \(file.sha256)")
    }
    if !audit.source.evidence.isEmpty {
      html.row("Recognised by", audit.source.evidence.prefix(20).joined(separator: "; "))
    }
    for fact in audit.source.distinctMetadata.prefix(20) {
      html.add("<tr><th scope=row>", fact.key, "</th><td>")
      html.shortened(fact.value)
      html.markup("</td></tr>\n")
    }
    for device in audit.source.earlier.prefix(audit.source.isOfSeveral ? 200 : 0) {
      html.row(
        "Made from", "\(device.source.path ?? device.source.name), \(device.source.layout.rawValue)"
      )
    }
    if let origin { html.rows(of: origin) }
    html.markup("</tbody></table>\n")
    addReplays()
    addTokens()
    html.markup("</section>\n")
  }

  private mutating func addReplays() {
    for summary in audit.queue.deliveries.summaries.prefix(50) {
      let parts = ReplayOutcome.allCases.compactMap { outcome in
        summary.counts[outcome].map { "\($0.grouped) \(outcome.words)" }
      }
      let verb: StaticString =
        summary.isRehearsal ? "<p>Rehearsed on the store " : "<p>Replayed to "
      html.add(verb, summary.target, ", last on ")
      html.add("", summary.last?.text ?? "an unknown day", ": ")
      html.add("", parts.joined(separator: ", "), ".</p>\n")
    }
  }

  /// The delta tokens: how far pulls had come.
  private mutating func addTokens() {
    guard !audit.queue.tokens.isEmpty else { return }
    html.openHeading(level + 1)
    html.markup("How far pulls had come")
    html.closeHeading(level + 1)
    html.markup("<table class=fields><caption class=hidden>delta tokens</caption><thead><tr>")
    html.markup("<th scope=col>Table</th><th scope=col>Query</th>")
    html.markup("<th scope=col>Newest change</th></tr></thead><tbody>\n")
    for token in audit.queue.tokens.prefix(100) {
      html.add("<tr><th scope=row>", token.table ?? "", "</th><td>")
      html.shortened(token.query ?? "")
      html.markup("</td><td>")
      html.shortened(token.updatedAt ?? token.raw.map { "unreadable: " + $0 } ?? "")
      html.markup("</td></tr>\n")
    }
    html.markup("</tbody></table>\n")
    if audit.queue.tokens.count > 100 {
      html.add("<p class=dim>and ", (audit.queue.tokens.count - 100).grouped, " more</p>\n")
    }
  }
}

extension HTMLText {
  /// The rows that tell where a page comes from.
  mutating func rows(of origin: PageOrigin) {
    row("Read on", origin.time.text)
    row("Tool", "rehome " + origin.toolVersion)
    markup("<tr><th scope=row>Command</th><td><code>")
    shortened(origin.commandLine)
    markup("</code></td></tr>\n")
  }
}
