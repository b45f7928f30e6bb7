import CommandLineKit
import Synchronization
import Testing

struct ProgressLineTests {
  /// A clock set by hand and a screen that keeps what is written.
  private final class Desk: Sendable {
    let now = Mutex<UInt64>(1_000)
    let written = Mutex<[String]>([])
    let questions = Mutex(0)

    func line(
      _ unit: ProgressLine.Unit = .rows, total: Int? = nil, isEnabled: Bool = true, width: Int = 60
    ) -> ProgressLine {
      ProgressLine(
        unit, total: total, isEnabled: isEnabled, width: width,
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
    line.update(done: 5, label: "Pots")
    line.clear()
    #expect(desk.takeWritten() == [])
  }

  @Test func lineTellsRowsRateAndShare() {
    let desk = Desk()
    var line = desk.line(total: 50_000)
    desk.pass(milliseconds: 500)
    line.update(done: 12_345, label: "Pots")
    #expect(desk.takeWritten() == ["\rPots  12,345 rows  24,690/s  24%"])
  }

  @Test(arguments: [
    (ProgressLine.Unit.stores, 1, 4, 3_000, "1 store  0/s  25%  9 s left"),
    (.operations, 90, 100, 9_000, "90 operations  10/s  90%  1 s left"),
    (.rows, 10, 1_000, 10_000, "10 rows  1/s  1%  17 min left"),
    (.rows, 100, 100_000, 10_000, "100 rows  10/s  0%"),
    (.tables, 1, 10, 3_600_000, "1 table  0/s  10%  9 h 0 min left"),
    (.bytes, 5_000_000, 0, 2_000, "5.0 MB  2.5 MB/s"),
    (.rows, 10, 10, 2_000, "10 rows  5/s  100%"),
    (.rows, 9, 10, 900, "9 rows  10/s  90%"),
  ])
  func lineCountsInItsUnitAndTellsTheTimeLeft(
    unit: ProgressLine.Unit, done: Int, total: Int, milliseconds: UInt64, text: String
  ) {
    let desk = Desk()
    var line = desk.line(unit, total: total == 0 ? nil : total)
    desk.pass(milliseconds: milliseconds)
    line.update(done: done)
    #expect(desk.takeWritten() == ["\r" + text])
  }

  @Test func whatIsAddedIsSummedUp() {
    let desk = Desk()
    var line = desk.line()
    line.add(3)
    desk.pass(milliseconds: 1000)
    line.add(4, label: "Pots")
    #expect(desk.takeWritten() == ["\rPots  7 rows  7/s"])
  }

  @Test func unknownTotalLeavesOutTheShare() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 1)
    #expect(desk.takeWritten() == ["\r1 row  1/s"])
  }

  @Test func lineIsDrawnAtMostTenTimesASecond() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    for _ in 0..<1000 {
      line.update(done: 1)
      desk.pass(milliseconds: 1)
    }
    #expect(desk.takeWritten().count == 10)
  }

  @Test func shorterLineWipesOutTheLongerOne() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 10, label: "long")
    desk.pass(milliseconds: 1000)
    line.update(done: 10, label: "x")
    #expect(desk.takeWritten() == ["\rlong  10 rows  10/s", "\rx  10 rows  5/s    "])
  }

  @Test func clearLeavesAnEmptyLineOnce() {
    let desk = Desk()
    var line = desk.line()
    desk.pass(milliseconds: 1000)
    line.update(done: 1)
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
    line.update(done: 1)
    line.clear()
    #expect(desk.takeWritten() == [])
    #expect(desk.questions.withLock { $0 } == before)
  }

  @Test(arguments: [1, 5, 9])
  func nothingShowsWhereThereIsNoRoom(width: Int) {
    let desk = Desk()
    var line = desk.line(width: width)
    desk.pass(milliseconds: 1000)
    line.update(done: 1, label: "Pots")
    line.clear()
    #expect(desk.takeWritten() == [])
  }

  @Test func labelIsEscapedAndTheLineFits() {
    let desk = Desk()
    var line = desk.line(width: 20)
    desk.pass(milliseconds: 1000)
    line.update(done: 1, label: "\u{1B}[2Jlong label that goes on")
    #expect(desk.takeWritten() == ["\r\\u{1B}[2Jlo…  1 row"])
  }

  @Test(arguments: [
    (61, "converting Item  12,345 rows  1,235/s  24%  32 s left"),
    (48, "converting Item  12,345 rows  24%  32 s left"),
    (40, "converting Item  12,345 rows  24%"), (32, "converting I…  12,345 rows  24%"),
    (24, "convertin…  12,345 rows"), (16, "12,345 rows"),
  ])
  func figuresAreLeftOutRatherThanCut(width: Int, text: String) {
    let desk = Desk()
    var line = desk.line(total: 51_000, width: width)
    desk.pass(milliseconds: 10_000)
    line.update(done: 12_345, label: "converting Item")
    #expect(desk.takeWritten() == ["\r" + text])
  }

  @Test(arguments: [(-5, 10), (Int.max, 1), (0, 0), (Int.max, nil), (Int.min, Int.min)])
  func oddNumbersAreShown(done: Int, total: Int?) {
    let desk = Desk()
    var line = desk.line(total: total)
    desk.pass(milliseconds: 1000)
    line.update(done: done)
    #expect(desk.takeWritten().count == 1)
  }

  @Test func clockNeverGoesBack() {
    let first = monotonicNanoseconds()
    #expect(monotonicNanoseconds() >= first)
  }
}
