import Bytes
import Records

extension StorePart {
  private static let momentLimit = 10

  /// When pulls, rows and replays were last new, on a line of time with an axis.
  mutating func addTimeline() {
    let (moments, count) = audit.latestMoments(Self.momentLimit)
    guard let first = moments.first?.seconds, let last = moments.last?.seconds else { return }
    html.markup("<div class=card>")
    html.openHeading(level)
    html.markup("Times that the store knows")
    html.closeHeading(level)
    let axis = TimeAxis(from: first, to: last)
    let height = moments.count * 40 + 42
    html.markup("<svg class=chart width=\"100%\" height=")
    html.number(height)
    html.markup(" role=img><title>a line of time, ")
    html.add("", axis.unit, "</title>\n")
    add(axis, height: height)
    for (row, moment) in moments.enumerated() { add(moment, row: row, axis) }
    html.markup("</svg>\n<ul class=hidden>")
    for moment in moments {
      html.add("<li>", moment.title + ": " + moment.text, "</li>")
    }
    html.markup("</ul>\n")
    if count > moments.count {
      html.add("<p class=dim>and ", (count - moments.count).grouped, " earlier times</p>\n")
    }
    html.markup("</div>\n")
  }

  private mutating func add(_ axis: TimeAxis, height: Int) {
    html.markup("<line class=axis x1=0 x2=\"100%\" y1=")
    html.number(height - 36)
    html.markup(" y2=")
    html.number(height - 36)
    html.markup(" />\n")
    for (place, mark) in axis.marks.enumerated() {
      let share = axis.thousandths(of: mark.seconds)
      html.markup("<line")
      html.share("x1", of: share, 1000)
      html.share("x2", of: share, 1000)
      html.markup(" y1=0 y2=")
      html.number(height - 30)
      html.markup(" />\n")
      // On a narrow page there is room for three.
      let end = axis.marks.count - 1
      guard place == 0 || place == end || place * 2 == end else { continue }
      html.markup("<text class=dim")
      html.markup(
        place == 0
          ? " text-anchor=start"
          : place == end ? " text-anchor=end" : " text-anchor=middle")
      html.share("x", of: share, 1000)
      html.markup(" y=")
      html.number(height - 18)
      html.add(">", mark.text, "</text>\n")
    }
    html.markup("<text class=dim text-anchor=middle x=\"50%\" y=")
    html.number(height - 3)
    html.add(">", axis.unit, "</text>\n")
  }

  private mutating func add(_ moment: StoreAudit.Moment, row: Int, _ axis: TimeAxis) {
    let share = axis.thousandths(of: moment.seconds)
    html.markup("<text y=")
    html.number(row * 40 + 14)
    html.markup(share > 500 ? " text-anchor=end x=\"100%\">" : " text-anchor=start x=0>")
    html.text(String(moment.title.prefix(40)))
    html.add("<tspan class=dim>  ", moment.shortText, "</tspan></text>")
    html.markup("<circle r=5 cy=")
    html.number(row * 40 + 26)
    html.share("cx", of: share, 1000)
    html.markup(" class=")
    html.markup(moment.style)
    html.markup(" />\n")
  }
}

/// The marks of a line of time, at round times.
private struct TimeAxis {
  /// A round time and how it is spelled.
  struct Mark {
    let seconds: Int64
    let text: String
  }

  private(set) var marks: [Mark] = []
  /// What lies between two marks, in words.
  let unit: String

  private static let steps: [(Int64, String)] = [
    (60, "a minute"), (600, "ten minutes"), (3600, "an hour"), (10_800, "three hours"),
    (43_200, "twelve hours"), (86_400, "a day"), (172_800, "two days"), (604_800, "a week"),
    (1_209_600, "two weeks"),
  ]
  private static let month = 2_629_746.0

  init(from first: Int64, to last: Int64) {
    let span = max(last - first, 1)
    if let (step, words) = Self.steps.first(where: { span / $0.0 < 4 }) {
      unit = "one mark is \(words), UTC"
      let start = first - (first % step + step) % step
      var next = start
      repeat {
        marks.append(Mark(seconds: next, text: Self.text(next, isTime: step < 86_400)))
        next += step
      } while (marks.last?.seconds ?? last) < last
    } else {
      let months = Double(span) / Self.month
      let steps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12_000, 120_000]
      let step = steps.first { months / Double($0) < 4 } ?? 120_000
      unit =
        "one mark is "
        + (step < 12 ? step.counted("month", "months") : (step / 12).counted("year", "years"))
        + ", UTC"
      addMonths(by: step, from: first, to: last)
    }
  }

  private mutating func addMonths(by step: Int, from first: Int64, to last: Int64) {
    let date = (Timestamp(wholeSecondsSince1970: first)?.text ?? "1970-01-01").split(separator: "-")
    let (year, month) = (Int(date.first ?? "") ?? 1970, Int(date.dropFirst().first ?? "") ?? 1)
    var next = (year * 12 + month - 1) / step * step
    repeat {
      let text = Self.padded(next / 12, 4) + "-" + Self.padded(next % 12 + 1, 2)
      let time = Timestamp(parsing: (text + "-01T00:00:00Z").utf8Span.span)
      // Beyond the calendar's ends an axis has no marks.
      if let time {
        marks.append(
          Mark(seconds: time.secondsSince1970, text: step < 12 ? text : String(text.prefix(4))))
      } else if next / 12 > 9999 {
        return
      }
      next += step
    } while (marks.last?.seconds ?? Int64.min) < last
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func text(_ seconds: Int64, isTime: Bool) -> String {
    let text = Timestamp(wholeSecondsSince1970: seconds)?.text ?? ""
    return isTime
      ? text.dropFirst(5).prefix(11).replacing("T", with: " ") : String(text.prefix(10))
  }

  /// Where a time is, from 0 to 1000.
  func thousandths(of seconds: Int64) -> Int {
    guard let first = marks.first?.seconds, let last = marks.last?.seconds, last > first else {
      return 500
    }
    return 20 + Int(Double(seconds - first) / Double(last - first) * 960)
  }
}

extension Substring {
  /// The text with one character in place of another.
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}

extension StoreAudit {
  struct Moment {
    let title: String
    let text: String
    let seconds: Int64
    let style: StaticString

    /// The time to the minute, as people read it.
    var shortText: String { text.prefix(16).replacing("T", with: " ") }
  }

  /// The last ones of the pulls, the newest rows of tables and the last replays, the oldest first, and
  /// how many there are in all.
  func latestMoments(_ most: Int) -> (moments: [Moment], count: Int) {
    var latest: [Moment] = []
    var count = 0
    func add(_ title: @autoclosure () -> String, _ time: Timestamp?, _ style: StaticString) {
      // What begins with the calendar of a computer was never set, or asks for everything.
      guard let time, time.secondsSince1970 > 0 else { return }
      count += 1
      if latest.count >= most, let first = latest.first, time.secondsSince1970 < first.seconds {
        return
      }
      let behind = firstPlace(in: latest) { $0.seconds > time.secondsSince1970 }
      let moment = Moment(
        title: title(), text: time.text, seconds: time.secondsSince1970, style: style)
      latest.insert(moment, at: behind)
      if latest.count > most { latest.removeFirst() }
    }
    for token in queue.tokens { add("pull of \(token.table ?? "a table")", token.time, "pull") }
    for facts in tables { add("newest row of \(facts.name)", facts.newestTime, "row") }
    for summary in queue.deliveries.summaries {
      let what = summary.isRehearsal ? "rehearsal on" : "replay to"
      add("\(what) \(summary.target)", summary.last, "replay")
    }
    return (latest, count)
  }
}
