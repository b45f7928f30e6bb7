import Bytes
import Testing

struct AppendingTests {
  @Test func spansFollowEachOtherInOrder() {
    let first: [UInt8] = [1, 2, 3]
    let none: [UInt8] = []
    var bytes: [UInt8] = [0]
    bytes.append(first.span)
    bytes.append(none.span)
    bytes.append(first.span.extracting(1..<3))
    #expect(bytes == [0, 1, 2, 3, 2, 3])
  }

  @Test func literalsAndStringsAreAppendedAsUTF8() {
    #expect(
      written {
        $0.append("naïve ")
        $0.append("x")
        $0.append("")
        $0.append(utf8: " 日本")
      } == "naïve x 日本")
  }

  /// Words are copied while they are plain, so each length and each place of a byte that is not is
  /// tried.
  @Test func wordsAreCopiedUpToTheFirstThatIsNotPlain() {
    for count in 0..<40 {
      for special in 0...count {
        var source = (0..<count).map { UInt8($0) }
        if special < count { source[special] = 0xFF }
        for start in 0...count {
          var end = 0
          let copy = [UInt8](capacity: count) { output in
            end = output.appendWords(of: source.span, from: start) { word in
              !(0..<8).contains { word &>> ($0 * 8) & 0xFF == 0xFF }
            }
          }
          let next = special < start ? count : special
          #expect(copy == Array(source[start..<end]))
          #expect(end <= next)
          #expect(next - end < 8)
        }
      }
    }
  }
}
