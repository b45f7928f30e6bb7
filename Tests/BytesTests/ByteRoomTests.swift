import TestSupport
import Testing

@testable import Bytes

struct ByteRoomTests {
  /// Pieces of all lengths from all places of a source, with and without bytes behind them.
  @Test func piecesFollowEachOtherWhateverTheirLength() {
    var random = SeededGenerator(seed: 41)
    let source = random.bytes(300)
    for _ in 0..<300 {
      var expected: [UInt8] = Array("before".utf8)
      var output = expected
      let ranges = (0..<20).map { _ in
        let start = Int.random(in: 0...300, using: &random)
        return start..<Int.random(in: start...300, using: &random)
      }
      output.append(roomFor: ranges.map(\.count).reduce(0, +)) { room in
        for range in ranges { room.append(source.span, range) }
        let left = room.left
        #expect(left == 0)
      }
      for range in ranges { expected += source[range] }
      #expect(output == expected)
    }
  }

  @Test func numbersAndSpansAreAppended() {
    var output: [UInt8] = []
    output.append(roomFor: 100) { room in
      room.append(7)
      room.appendBigEndian(0x0102_0304_0506_0708 as UInt64)
      room.append(upTo: 30) { $0.append("abc") }
      room.append(9, bigEndian: 0x0A0B_0C0D as UInt32)
      room.append(0, bigEndian: 0x1112_1314_1516_1718 as UInt64)
      room.append(upTo: 0) { _ in }
      let left = room.left
      #expect(left == 74)
    }
    let numbers: [[UInt8]] = [[1, 2, 3, 4, 5, 6, 7, 8], [97, 98, 99], [9, 10, 11, 12, 13, 0]]
    #expect(output == [7] + numbers.joined() + (0x11...0x18))
  }

  @Test func digitsAreThoseOfTheStandardLibrary() {
    var random = SeededGenerator(seed: 43)
    var numbers: [Int64] = [.min, .min + 1, .max, 0, -1, 1]
    for power in 0..<19 {
      let ten = (0..<power).reduce(Int64(1)) { product, _ in product * 10 }
      numbers += [ten - 1, ten, -ten, 1 - ten]
    }
    for bits in 1..<63 {
      numbers.append(Int64.random(in: -(1 << bits)...(1 << bits - 1), using: &random))
    }
    var output: [UInt8] = []
    output.append(roomFor: numbers.count * (decimalSize + 1)) { room in
      for number in numbers {
        room.appendDecimal(number)
        room.append(UInt8(ascii: " "))
      }
    }
    #expect(
      String(decoding: output, as: UTF8.self) == numbers.map { "\($0) " }.joined())
  }

  @Test func moreThanTheRoomEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      let source: [UInt8] = Array(repeating: 0, count: 40)
      output.append(roomFor: 8) { $0.append(source.span, 0..<9) }
    }
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      let source: [UInt8] = Array(repeating: 0, count: 40)
      output.append(roomFor: 80) { $0.append(source.span, 30..<41) }
    }
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      let text: [UInt8] = Array(repeating: 97, count: 40)
      output.append(roomFor: 11) { $0.appendJSONString(text.span, 0..<10) }
    }
  }
}
