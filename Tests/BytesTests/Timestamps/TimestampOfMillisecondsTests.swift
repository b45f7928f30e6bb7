import Bytes
import TestSupport
import Testing

/// The quick look at moments, against reading and spelling them.
struct TimestampOfMillisecondsTests {
  private func isQuicklyFound(_ text: [UInt8]) -> Bool { isTimestampOfMilliseconds(text.span) }

  private func isSpelledSo(_ text: [UInt8]) -> Bool {
    guard text.count == 24, let time = Timestamp(parsing: text.span) else { return false }
    return Array(time.text.utf8) == text
  }

  @Test func everyDayThatMayExistIsLookedAt() {
    for year in ["0000", "0001", "1900", "2000", "2015", "2016", "9999"] {
      for month in 0...13 {
        for day in 0...32 {
          let date = [month, day].map { ($0 < 10 ? "0" : "") + String($0) }
          let text = Array("\(year)-\(date[0])-\(date[1])T09:15:30.123Z".utf8)
          #expect(isQuicklyFound(text) == isSpelledSo(text), "\(year) \(date)")
        }
      }
    }
  }

  @Test func everyByteAtEveryPlaceIsLookedAt() {
    let moment = Array("2016-10-01T09:15:30.123Z".utf8)
    #expect(isQuicklyFound(moment))
    for place in moment.indices {
      for byte in UInt8.min ... .max {
        var text = moment
        text[place] = byte
        #expect(isQuicklyFound(text) == isSpelledSo(text), "\(byte) at \(place)")
      }
    }
  }

  @Test func changedMomentsAreToldApart() {
    var random = SeededGenerator(seed: 87)
    let bytes = Array("0123456789:-TZ. +/;\u{80}".utf8)
    var found = 0
    for _ in 0..<50_000 {
      var text = Array("2016-10-01T09:15:30.123Z".utf8)
      for _ in 0...Int(random.next() % 3) {
        text[Int(random.next() % 24)] = bytes[Int(random.next() % UInt64(bytes.count))]
      }
      if isQuicklyFound(text) { found += 1 }
      #expect(isQuicklyFound(text) == isSpelledSo(text), "\(text)")
    }
    #expect(found > 1000)
  }

  @Test(arguments: [
    "", "2016-10-01", "2016-10-01T09:15:30.12Z", "2016-10-01T09:15:30.123456789Z",
    "2016-10-01T09:15:30.123Z ",
  ])
  func otherLengthsAreForACloserLook(_ text: String) {
    #expect(!isQuicklyFound(Array(text.utf8)))
  }
}
