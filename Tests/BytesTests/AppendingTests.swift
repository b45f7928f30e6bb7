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
}
