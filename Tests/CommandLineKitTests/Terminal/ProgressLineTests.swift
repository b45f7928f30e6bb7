import CommandLineKit
import Synchronization
import Testing

struct ProgressLineTests {
  /// A clock set by hand and a screen that keeps what is written.
  private final class Desk: Sendable {
    let now = Mutex<UInt64>(1_000)
    let written = Mutex<[String]>([])
    let questions = Mutex(0)

    func line(isEnabled: Bool = true, width: Int = 60) -> ProgressLine {
      ProgressLine(
        isEnabled: isEnabled, width: width,
        clock: {
          self.questions.withLock { $0 += 1 }
          return self.now.withLock { $0 }
        },
        write: { text in self.written.withLock { $0.append(text) } })
    }

    func pass(milliseconds: UInt64) { now.withLock { $0 += milliseconds * 1_000_000 } }

    func takeWritten() -> [String] {
      written.withLock { texts in
        defer { texts = [] }
        return texts
      }
    }
  }

  @Test func nothingShowsInTheFirstHalfSecond() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 499)
    line.update(done: 5, total: 10, label: "Pots")
    line.clear()
    #expect(desk.takeWritten() == [])
  }

  @Test func lineTellsRowsRateAndShare() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 500)
    line.update(done: 12_345, total: 50_000, label: "Pots")
    #expect(desk.takeWritten() == ["\rPots  12,345 rows  24,690/s  24%"])
  }

  @Test func unknownTotalLeavesOutTheShare() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 1, total: nil, label: "")
    #expect(desk.takeWritten() == ["\r1 row  1/s"])
  }

  @Test func lineIsDrawnAtMostTenTimesASecond() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    for _ in 0..<1000 {
      line.update(done: 1, total: nil, label: "")
      desk.pass(milliseconds: 1)
    }
    #expect(desk.takeWritten().count == 10)
  }

  @Test func shorterLineWipesOutTheLongerOne() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 10, total: nil, label: "long")
    desk.pass(milliseconds: 1000)
    line.update(done: 10, total: nil, label: "x")
    #expect(desk.takeWritten() == ["\rlong  10 rows  10/s", "\rx  10 rows  5/s    "])
  }

  @Test func clearLeavesAnEmptyLineOnce() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 1, total: nil, label: "")
    _ = desk.takeWritten()
    line.clear()
    line.clear()
    #expect(desk.takeWritten() == ["\r          ", "\r"])
  }

  @Test func disabledLineWritesNothingAndAsksNoClock() {
    let desk = Desk()
    var line = desk.line(isEnabled: false)
    desk.pass(milliseconds: 5000)
    let before = desk.questions.withLock { $0 }
    line.update(done: 1, total: nil, label: "")
    line.clear()
    #expect(desk.takeWritten() == [])
    #expect(desk.questions.withLock { $0 } == before)
  }

  @Test func labelIsEscapedAndTheLineFits() {
    let desk = Desk()
    var line = desk.line(width: 20)
    desk.pass(milliseconds: 1000)
    line.update(done: 1, total: nil, label: "\u{1B}[2Jlong label that goes on")
    #expect(desk.takeWritten() == ["\r\\u{1B}[2Jlong labe…"])
  }

  @Test(arguments: [(-5, 10), (Int.max, 1), (0, 0), (Int.max, nil), (Int.min, Int.min)])
  func oddNumbersAreShown(done: Int, total: Int?) {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: done, total: total, label: "")
    #expect(desk.takeWritten().count == 1)
  }

  @Test func clockNeverGoesBack() {
    let first = monotonicNanoseconds()
    #expect(monotonicNanoseconds() >= first)
  }
}
