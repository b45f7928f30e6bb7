import Bytes
import Records
import Testing

@Suite struct KeyBlocksTests {
  private func digest(_ text: String) -> SHA256Digest {
    let bytes = Array(text.utf8)
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }

  @Test(arguments: [-10, 0, 1023, 1024, 5000, 9999, 20_000])
  func theBlockOfAChangedRowIsFound(_ changed: Int64) {
    var left = KeyBlocks()
    for key in Int64(0)..<10_000 { left.draw(key, digest("\(key)")) }
    var right = left.emptied
    for key in (Int64(0)..<10_000).reversed() where key != changed {
      right.sort(key, digest("\(key)"))
    }
    right.sort(changed, digest("changed"))
    #expect(left.differences(from: right, limit: 5) == [left.block(of: changed)])
  }

  @Test func equalRowsInAnotherOrderHaveNoDifference() {
    var left = KeyBlocks()
    for key in Int64(0)..<3000 { left.draw(key, digest("\(key)")) }
    var right = left.emptied
    for key in (Int64(0)..<3000).reversed() { right.sort(key, digest("\(key)")) }
    #expect(left.differences(from: right, limit: 5).isEmpty)
  }
}
