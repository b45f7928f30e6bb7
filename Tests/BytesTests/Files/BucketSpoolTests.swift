import Bytes
import TestSupport
import Testing

struct BucketSpoolTests {
  /// Each entry has 16 bytes: its hash and its number.
  @Test(arguments: [1, 500, 1 << 20], [false, true])
  func entriesWithOneHashComeBackTogetherInTheirOrder(most: Int, isInFile: Bool) throws {
    var generator = SeededGenerator(seed: 5)
    var spool = BucketSpool(
      most: most, in: isInFile ? ByteSpool(in: try SpoolFile()) : ByteSpool())
    var expected: [UInt64: [UInt64]] = [:]
    for number in 0..<3000 as Range<UInt64> {
      let hash = UInt64.random(in: 0..<900, using: &generator) &* 0x1_0000_0001
      var entry: [UInt8] = []
      entry.appendBigEndian(hash)
      entry.appendBigEndian(number)
      try spool.append(entry.span, hash: hash)
      expected[hash, default: []].append(number)
    }
    var found: [UInt64: [UInt64]] = [:]
    for bucket in 0..<BucketSpool.bucketCount {
      var entries: [UInt8] = []
      for number in 0..<(try spool.pieceCount()) {
        let piece = try spool.piece(number, ofBucket: bucket)
        #expect(piece.count % 16 == 0, "an entry is in two pieces")
        entries += piece
      }
      #expect(spool.size(ofBucket: bucket) == entries.count)
      var here: [UInt64: [UInt64]] = [:]
      for place in stride(from: 0, to: entries.count, by: 16) {
        let hash = UInt64(bigEndian: loadWord(from: entries.span, at: place))
        here[hash, default: []].append(
          UInt64(bigEndian: loadWord(from: entries.span, at: place + 8)))
      }
      #expect(found.keys.allSatisfy { here[$0] == nil }, "a hash is in two buckets")
      found.merge(here, uniquingKeysWith: +)
    }
    #expect(found == expected)
  }
}
