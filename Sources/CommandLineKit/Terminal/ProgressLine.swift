import Bytes

/// One line on standard error that tells how far a long run is.
///
/// Nothing shows in the first half second, and the line is drawn at most ten times a second, so
/// `update` may be called for every batch.
package struct ProgressLine: Sendable {
  /// Nanoseconds on a clock that never goes back.
  package typealias Clock = @Sendable () -> UInt64

  /// What is counted.
  package enum Unit: Sendable, Equatable {
    case rows
    case stores
    case operations
    case tables
    case bytes
  }

  private static let firstShownAfter: UInt64 = 500_000_000
  private static let redrawnAfter: UInt64 = 100_000_000
  /// In fewer columns there is no room for a figure.
  private static let narrowest = 10

  private let isEnabled: Bool
  private let unit: Unit
  private let total: Int?
  private let width: Int
  private let clock: Clock
  private let write: @Sendable (String) -> Void
  private let start: UInt64
  private var nextDrawing: UInt64
  private var done = 0
  /// The columns that the line on the screen takes.
  private var shownWidth = 0

  /// Makes the line and starts its clock; `total` is how much there is to do, where that is known.
  ///
  /// `width` is the terminal's; `write` gets each piece of output. Where `isEnabled` is false, or
  /// the terminal too narrow, nothing is ever written and the clock is not asked again.
  package init(
    _ unit: Unit = .rows, total: Int? = nil, isEnabled: Bool, width: Int?, clock: @escaping Clock,
    write: @escaping @Sendable (String) -> Void
  ) {
    let width = width ?? 80
    self.isEnabled = isEnabled && width >= Self.narrowest
    self.unit = unit
    self.total = total
    // In the last column some terminals go to the next line.
    self.width = width - 1
    self.clock = clock
    self.write = write
    start = clock()
    nextDrawing = start.addingReportingOverflow(Self.firstShownAfter).partialValue
  }

  /// The line for a terminal: enabled where it can be redrawn and `isWanted`.
  package init(_ unit: Unit, total: Int? = nil, on terminal: Terminal, isWanted: Bool) {
    self.init(
      unit, total: total, isEnabled: isWanted && terminal.canRedraw, width: terminal.width,
      clock: monotonicNanoseconds
    ) { text in
      // Progress is a courtesy: when standard error is gone, the run goes on without it.
      try? StandardStream.error.write(text)
    }
  }

  /// Tells how much more is done; draws the line when it is time.
  package mutating func add(_ more: Int, label: String = "") {
    update(done: done.addingReportingOverflow(more).partialValue, label: label)
  }

  /// Tells how much of the whole run is done; draws the line when it is time.
  package mutating func update(done: Int, label: String = "") {
    self.done = done
    guard isEnabled else { return }
    let now = clock()
    guard now >= nextDrawing else { return }
    nextDrawing = now.addingReportingOverflow(Self.redrawnAfter).partialValue
    let elapsed = now >= start ? now - start : 0
    draw(
      Self.text(
        unit, done: done, total: total, label: escapedForTerminal(label), elapsed: elapsed,
        width: width))
  }

  /// Takes the line off the screen: at the end, and before anything else is printed.
  ///
  /// A later `update` shows it again.
  package mutating func clear() {
    guard shownWidth > 0 else { return }
    draw("")
    write("\r")
  }

  private mutating func draw(_ text: String) {
    let textWidth = displayWidth(of: text)
    // Spaces wipe out what was there; that works on terminals without any control codes.
    write("\r" + text + String(repeating: " ", count: max(0, shownWidth - textWidth)))
    shownWidth = textWidth
  }
}

extension ProgressLine {
  /// What the line says: label, how much, how much a second, and, where the whole is known, the
  /// share done and the time left.
  ///
  /// Where there is no room for all, the label is cut, and figures are left out rather than cut.
  static func text(
    _ unit: Unit, done: Int, total: Int?, label: String, elapsed: UInt64, width: Int
  ) -> String {
    let rate = Double(max(0, done)) / max(0.001, Double(elapsed) / 1e9)
    let share = total.flatMap { total in
      total > 0 ? min(1, Double(max(0, done)) / Double(total)) : nil
    }
    let count = unit.words(done)
    let pace = unit.rate(Int(exactly: rate.rounded()) ?? .max)
    let percent = share.map { "\(Int($0 * 100))%" }
    let left = share.flatMap { timeLeft(share: $0, elapsed: elapsed) }
    // The pace matters least, then the time left.
    let choices = [
      [count, pace, percent, left], [count, percent, left], [count, percent], [count],
    ]
    let wanted = min(displayWidth(of: label), shortestLabel)
    let figures =
      choices.map { $0.compactMap(\.self) }.first { room(beside: $0, in: width) >= wanted }
      ?? [count]
    let columns = room(beside: figures, in: width)
    let label = columns < 4 ? "" : escapedForTerminal(label, width: columns)
    let parts = (label.isEmpty ? [] : [label]) + figures
    return escapedForTerminal(parts.joined(separator: "  "), width: width)
  }

  /// How much of a label tells what it is about.
  private static let shortestLabel = 12

  /// How many columns a label may take in front of some figures.
  private static func room(beside figures: [String], in width: Int) -> Int {
    figures.reduce(width) { $0 - 2 - displayWidth(of: $1) }
  }

  /// How long the rest takes at the pace so far; nil while that says little.
  private static func timeLeft(share: Double, elapsed: UInt64) -> String? {
    let seconds = Double(elapsed) / 1e9
    guard seconds >= 1, share >= 0.01, share < 1 else { return nil }
    let left = (seconds * (1 - share) / share).rounded(.up)
    guard let whole = UInt64(exactly: left), whole < 360_000 else { return nil }
    if whole < 60 { return "\(whole) s left" }
    let minutes = (whole + 30) / 60
    return minutes < 60 ? "\(minutes) min left" : "\(minutes / 60) h \(minutes % 60) min left"
  }
}

extension ProgressLine.Unit {
  fileprivate func words(_ count: Int) -> String {
    switch self {
    case .rows: count.counted("row", "rows")
    case .stores: count.counted("store", "stores")
    case .operations: count.counted("operation", "operations")
    case .tables: count.counted("table", "tables")
    case .bytes: Quantity.bytes(count)
    }
  }

  fileprivate func rate(_ count: Int) -> String {
    self == .bytes ? "\(Quantity.bytes(count))/s" : "\(count.grouped)/s"
  }
}

private let firstInstant = ContinuousClock.now

/// Nanoseconds since the tool first asked, on a clock that never goes back.
package func monotonicNanoseconds() -> UInt64 {
  let elapsed = firstInstant.duration(to: .now).components
  // Negative is impossible on this clock, and the sum overflows after 292 years.
  let nanoseconds = elapsed.seconds &* 1_000_000_000 &+ elapsed.attoseconds / 1_000_000_000
  return UInt64(clamping: nanoseconds)
}
