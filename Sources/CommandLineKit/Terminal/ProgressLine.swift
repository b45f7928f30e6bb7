/// One line on standard error that tells how far a long run is.
///
/// Nothing shows in the first half second, and the line is drawn at most ten times a second, so
/// `update` may be called for every batch.
package struct ProgressLine: Sendable {
  /// Nanoseconds on a clock that never goes back.
  package typealias Clock = @Sendable () -> UInt64

  private static let firstShownAfter: UInt64 = 500_000_000
  private static let redrawnAfter: UInt64 = 100_000_000

  private let isEnabled: Bool
  private let width: Int
  private let clock: Clock
  private let write: @Sendable (String) -> Void
  private let start: UInt64
  private var nextDrawing: UInt64
  /// The columns that the line on the screen takes.
  private var shownWidth = 0

  /// Makes the line and starts its clock.
  ///
  /// `width` is the terminal's; `write` gets each piece of output. Where `isEnabled` is false
  /// nothing is ever written and the clock is not asked again.
  package init(
    isEnabled: Bool, width: Int?, clock: @escaping Clock,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.isEnabled = isEnabled
    // In the last column some terminals go to the next line.
    self.width = max(10, width ?? 80) - 1
    self.clock = clock
    self.write = write
    start = clock()
    nextDrawing = start.addingReportingOverflow(Self.firstShownAfter).partialValue
  }

  /// The line for a terminal: enabled where it can be redrawn and `isWanted`.
  package init(on terminal: Terminal, isWanted: Bool) {
    self.init(
      isEnabled: isWanted && terminal.canRedraw, width: terminal.width, clock: monotonicNanoseconds
    ) { text in
      // Progress is a courtesy: when standard error is gone, the run goes on without it.
      try? StandardStream.error.write(text)
    }
  }

  /// Tells how many rows of the whole run are done; draws the line when it is time.
  package mutating func update(done: Int, total: Int?, label: String) {
    guard isEnabled else { return }
    let now = clock()
    guard now >= nextDrawing else { return }
    nextDrawing = now.addingReportingOverflow(Self.redrawnAfter).partialValue
    let elapsed = now >= start ? now - start : 0
    let text = escapedForTerminal(
      ProgressLine.text(done: done, total: total, label: label, elapsed: elapsed), width: width)
    draw(text)
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
  /// What the line says: label, rows, rows a second, and the share done where it is known.
  static func text(done: Int, total: Int?, label: String, elapsed: UInt64) -> String {
    var parts = label.isEmpty ? [] : [label]
    parts.append(Quantity.count(done, "row", "rows"))
    let rate = Double(max(0, done)) / max(0.001, Double(elapsed) / 1e9)
    parts.append("\(Quantity.count(Int(exactly: rate.rounded()) ?? .max))/s")
    if let total, total > 0 {
      let share = Double(max(0, done)) / Double(total)
      parts.append("\(Int(min(1, share) * 100))%")
    }
    return parts.joined(separator: "  ")
  }
}
