import Bytes
import Records

extension AuditPage {
  /// How many tables a picture shows; the lists show all.
  private static let chartLimit = 10
  /// How many times the line of time shows.
  private static let momentLimit = 12

  /// How many operations of each kind wait for each table, as bars.
  mutating func addKindChart(_ audit: StoreAudit) {
    let all = audit.pendingCounts.sorted { $0.total > $1.total }
    let counts = all.prefix(Self.chartLimit)
    guard let most = counts.first?.total, most > 0 else { return }
    html.markup("<div class=card><h3>What waits, by table</h3>\n")
    openChart(rows: counts.count, "operations that wait, by table and kind")
    for (row, count) in counts.enumerated() {
      addLabel(count.table ?? "(no table)", row: row)
      let bars: [(StaticString, String, Int)] = [
        ("insert", "insert", count.inserts), ("update", "update", count.updates),
        ("delete", "delete", count.deletes), ("unreadable", "unreadable", count.unreadable),
      ]
      var start = 0
      for (style, _, part) in bars where part > 0 {
        addBar(style, row: row, from: start * 320 / most, to: (start + part) * 320 / most)
        start += part
      }
      let words = bars.filter { $0.2 > 0 }.map {
        "\($0.2) \($0.1)\($0.2 == 1 || $0.1 == "unreadable" ? "" : "s")"
      }.joined(separator: ", ")
      addWords(words, row: row)
    }
    html.markup("</svg>")
    if all.count > counts.count {
      html.markup("<p class=dim>and ")
      html.number(all.count - counts.count)
      html.markup(" more tables, with ")
      html.number(all.dropFirst(Self.chartLimit).reduce(0) { $0 + $1.total })
      html.markup(" operations</p>")
    }
    html.markup("</div>\n")
  }

  /// How many operations failed for each cause, as bars.
  mutating func addFailureChart(_ audit: StoreAudit) {
    let counts = FailureCause.allCases
      .map { cause in
        (cause, audit.assessments.count { $0.bond == .current && $0.cause == cause })
      }
      .filter { $0.1 > 0 }
    guard let most = counts.map(\.1).max() else { return }
    html.markup("<div class=card><h3>Why it failed</h3>\n")
    openChart(rows: counts.count, "failures of waiting operations, by cause")
    for (row, (cause, count)) in counts.enumerated() {
      addLabel(cause.title, row: row)
      addBar("failure", row: row, from: 0, to: count * 320 / most)
      addWords(String(count), row: row)
    }
    html.markup("</svg></div>\n")
  }

  /// When pulls and rows were last new, on a line of time.
  mutating func addTimeline(_ audit: StoreAudit) {
    let all = audit.moments
    let moments = all.suffix(Self.momentLimit)
    guard let first = moments.first?.seconds, let last = moments.last?.seconds else { return }
    html.markup("<div class=card><h3>Known times</h3>\n")
    openChart(rows: moments.count, "times that the store knows, the oldest first")
    for (row, moment) in moments.enumerated() {
      addLabel(moment.title, row: row)
      html.markup("<line x1=10 x2=330 y1=")
      html.number(row * 56 + 26)
      html.markup(" y2=")
      html.number(row * 56 + 26)
      html.markup(" /><circle class=time r=6 cy=")
      html.number(row * 56 + 26)
      html.markup(" cx=")
      let share = last > first ? Double(moment.seconds - first) / Double(last - first) : 1
      html.number(10 + Int(share * 320))
      html.markup(" />")
      addWords(moment.text, row: row)
    }
    html.markup("</svg>")
    if all.count > moments.count {
      html.markup("<p class=dim>and ")
      html.number(all.count - moments.count)
      html.markup(" earlier times</p>")
    }
    html.markup("</div>\n")
  }

  private mutating func openChart(rows: Int, _ title: String) {
    html.markup("<svg viewBox=\"0 0 340 ")
    html.number(rows * 56)
    html.markup("\" role=img><title>")
    html.text(title)
    html.markup("</title>\n")
  }

  private mutating func addLabel(_ text: String, row: Int) {
    html.markup("<text x=10 y=")
    html.number(row * 56 + 14)
    html.markup(">")
    html.text(String(text.prefix(40)) + (text.count > 40 ? "…" : ""))
    html.markup("</text>")
  }

  private mutating func addBar(_ style: StaticString, row: Int, from: Int, to end: Int) {
    html.markup("<rect class=")
    html.markup(style)
    html.markup(" height=12 rx=2 x=")
    html.number(10 + from)
    html.markup(" y=")
    html.number(row * 56 + 20)
    html.markup(" width=")
    html.number(max(2, end - from))
    html.markup(" />")
  }

  private mutating func addWords(_ text: String, row: Int) {
    html.markup("<text class=dim x=10 y=")
    html.number(row * 56 + 46)
    html.markup(">")
    html.text(text)
    html.markup("</text>\n")
  }
}

extension StoreAudit {
  /// A time that the store knows.
  fileprivate struct Moment {
    let title: String
    let text: String
    let seconds: Int64
  }

  /// The newest pull and the newest row of each table, the oldest first.
  fileprivate var moments: [Moment] {
    let pulls = queue.tokens.compactMap { token in
      token.time.map { time in
        Moment(
          title: "pull of \(token.table ?? "a table")", text: time.text,
          seconds: time.secondsSince1970)
      }
    }
    let rows = tables.compactMap { facts in
      facts.newestTime.map { time in
        Moment(
          title: "newest row of \(facts.name)", text: time.text, seconds: time.secondsSince1970)
      }
    }
    return (pulls + rows).sorted { $0.seconds < $1.seconds }
  }
}
