import Bytes

extension StorePart {
  /// How many tables a picture shows.
  private static let chartLimit = 8

  /// How many operations of each kind wait for each table, as bars.
  mutating func addKindChart() {
    let all = audit.pendingCounts.sorted { $0.total > $1.total }
    let counts = all.prefix(Self.chartLimit)
    // One or two operations need no picture.
    guard let most = counts.first?.total, all.reduce(0, { $0 + $1.total }) > 2 else { return }
    openCard("Waiting operations, by table")
    var chart = BarChart(rows: counts.count, most: most, unit: "operations")
    for (row, count) in counts.enumerated() {
      let parts: [(StaticString, String, Int)] = [
        ("insert", "insert", count.inserts), ("update", "update", count.updates),
        ("delete", "delete", count.deletes), ("unreadable", "unreadable", count.unreadable),
      ]
      let words = parts.filter { $0.2 > 0 }.map { part in
        "\(part.2.grouped) \(part.1)" + (part.2 == 1 || part.1 == "unreadable" ? "" : "s")
      }
      chart.add(
        row, count.table ?? "(no table)", parts.map { ($0.0, $0.2) },
        words.joined(separator: ", "))
    }
    chart.finish(into: &html)
    html.markup("<p class=legend><i class=insert></i> insert <i class=update></i> update ")
    html.markup("<i class=delete></i> delete</p>\n")
    if all.count > counts.count {
      let rest = all.dropFirst(Self.chartLimit)
      html.add("<p class=dim>and ", rest.count.counted("more table", "more tables"), " with ")
      html.add("", rest.reduce(0) { $0 + $1.total }.counted("operation", "operations"), "</p>\n")
    }
    html.markup("</div>\n")
  }

  /// How many operations failed for each cause, as bars.
  mutating func addFailureChart() {
    let counts = FailureCause.allCases
      .map { cause in
        (cause, audit.assessments.count { $0.bond == .current && $0.cause == cause })
      }
      .filter { $0.1 > 0 }
    guard let most = counts.map(\.1).max(), counts.reduce(0, { $0 + $1.1 }) > 2 else { return }
    openCard("Why operations failed")
    var chart = BarChart(rows: counts.count, most: most, unit: "failures")
    for (row, (cause, count)) in counts.enumerated() {
      chart.add(row, cause.title, [("failure", count)], count.counted("failure", "failures"))
    }
    chart.finish(into: &html)
    html.markup("</div>\n")
  }

  private mutating func openCard(_ title: StaticString) {
    html.markup("<div class=card>")
    html.openHeading(level)
    html.markup(title)
    html.closeHeading(level)
  }
}

/// Bars beside each other on one scale, which begins at zero and says what it counts.
///
/// Places are shares of the width, so that the words keep their size on every screen.
private struct BarChart {
  private var html = HTMLText()
  private let end: Int
  private let rows: Int
  private static let rowHeight = 46

  init(rows: Int, most: Int, unit: StaticString) {
    self.rows = rows
    end = Self.roundEnd(most)
    let height = rows * Self.rowHeight + 30
    html.markup("<svg class=chart width=\"100%\" height=")
    html.number(height)
    html.markup(" role=img><title>")
    html.add("bars from 0 to ", end.grouped, " ")
    html.markup(unit)
    html.markup("</title>\n")
    for step in 0...2 {
      let number = end * step / 2
      guard step != 1 || end.isMultiple(of: 2) else { continue }
      let anchor: StaticString = step == 0 ? "start" : step == 1 ? "middle" : "end"
      html.markup("<line")
      html.share("x1", of: step, 2)
      html.share("x2", of: step, 2)
      html.markup(" y1=0 y2=")
      html.number(height - 18)
      html.markup(" /><text class=dim text-anchor=")
      html.markup(anchor)
      html.share("x", of: step, 2)
      html.markup(" y=")
      html.number(height - 4)
      html.add(">", number.grouped, "")
      if step == 2 {
        html.markup(" ")
        html.markup(unit)
      }
      html.markup("</text>\n")
    }
  }

  mutating func add(
    _ row: Int, _ label: String, _ parts: [(style: StaticString, count: Int)], _ words: String
  ) {
    let top = row * Self.rowHeight
    html.markup("<text x=0 y=")
    html.number(top + 14)
    html.markup(">")
    html.text(String(label.prefix(24)) + (label.count > 24 ? "…" : ""))
    html.add("<tspan class=dim>  ", words, "</tspan></text>")
    var start = 0
    for part in parts where part.count > 0 {
      html.markup("<rect class=")
      html.markup(part.style)
      html.markup(" height=14 y=")
      html.number(top + 20)
      html.share("x", of: start, end)
      html.share("width", of: part.count, end)
      html.markup(" />")
      start += part.count
    }
    html.markup("\n")
  }

  consuming func finish(into output: inout HTMLText) {
    html.markup("</svg>\n")
    output.append(html)
  }

  /// The next number at which a scale may end; five at least, so that one is a short bar.
  private static func roundEnd(_ most: Int) -> Int {
    var unit = 1
    while true {
      for number in [5, 6, 8, 10, 20, 30, 40] where number * unit >= most { return number * unit }
      let (next, overflow) = unit.multipliedReportingOverflow(by: 10)
      if overflow { return most }
      unit = next
    }
  }
}

extension HTMLText {
  /// Appends an attribute that is a share of a whole, in percent with two digits.
  mutating func share(_ name: StaticString, of part: Int, _ whole: Int) {
    let share = whole > 0 ? Double(part) / Double(whole) : 0
    let hundredths = Int((min(max(share, 0), 1) * 10_000).rounded())
    markup(" ")
    markup(name)
    markup("=\"")
    number(hundredths / 100)
    markup(".")
    if hundredths % 100 < 10 { markup("0") }
    number(hundredths % 100)
    markup("%\"")
  }
}
