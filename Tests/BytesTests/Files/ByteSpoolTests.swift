import Bytes
import Testing

struct ByteSpoolTests {
  @Test func piecesComeBackFromMemoryAndFromTheFile() throws {
    var spool = ByteSpool()
    var places: [ByteSpool.Place] = []
    let piece = { (number: Int) in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 977 % 3000)
    }
    for number in 0..<2000 { places.append(try spool.append(piece(number).span)) }
    for number in [0, 1, 700, 1000, 1998, 1999] + Array(0..<2000) {
      #expect(try spool.read(places[number]) == piece(number))
    }
  }

  @Test func copiesOfASpoolKeepWhatTheyHave() throws {
    var spool = ByteSpool()
    let large = [UInt8](repeating: 7, count: 2 << 20)
    let first = try spool.append(large.span)
    let copy = spool
    let second = try spool.append([1, 2, 3].span)
    #expect(try copy.read(first) == large)
    #expect(try spool.read(second) == [1, 2, 3])
  }

  @Test(arguments: [1, 16]) func countedPiecesAreFoundByTheirBeginning(_ step: Int) {
    var spool = ByteSpool(memoryLimit: 100_000)
    let sizes = [0, 1, 14, 15, 16, 62, 63, 64, 65, 246, 247, 254, 255, 256, 5000]
    let piece = { (number: Int) in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: sizes[number % sizes.count])
    }
    let starts = (0..<4000).map { spool.append(counted: piece($0).span, step: step) }
    #expect(starts.allSatisfy { $0 % step == 0 })
    #expect(starts.indices.allSatisfy { spool.counted(at: starts[$0]) == piece($0) })
  }

  /// Some are longer than what is read at once, and some end where that does.
  @Test(
    arguments: [0, 1, 300, 4000],
    [[0, 1, 62, 63, 254, 255, 3000] + [Int](repeating: 9, count: 60) + [200_000], [63], [300, 0]])
  func allCountedPiecesAreLentInTheirOrder(_ count: Int, _ sizes: [Int]) {
    var spool = ByteSpool(memoryLimit: 1000)
    let piece = { (number: Int) in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: sizes[number % sizes.count])
    }
    let starts = (0..<count).map { spool.append(counted: piece($0).span) }
    var number = 0
    spool.forEachCounted { start, lent in
      #expect(starts.indices.contains(number) && start == starts[number])
      #expect(lent.indices.map { lent[$0] } == piece(number))
      number += 1
    }
    #expect(number == count)
    for (number, start) in starts.enumerated() {
      let size = number + 1 < count ? starts[number + 1] - start : nil
      let found = spool.withCounted(at: start, expecting: size) { lent in
        lent.indices.map { lent[$0] }
      }
      #expect(found == piece(number))
    }
  }

  @Test func countedPiecesStandBehindEachOther() {
    let pieces = [0, 1, 254, 255, 256, 70_000, 3].map { [UInt8](repeating: 7, count: $0) }
    var bytes: [UInt8] = []
    for piece in pieces { bytes.append(counted: piece.span) }
    var place = 0
    for piece in pieces {
      let found = countedPiece(in: bytes.span, at: place)
      #expect(found.map { Array(bytes[$0]) } == piece)
      place = found?.upperBound ?? place
      // What ends too early has none.
      #expect(countedPiece(in: bytes.span.extracting(first: place - 1), at: place) == nil)
    }
    #expect(place == bytes.count && countedPiece(in: bytes.span, at: place) == nil)
  }
}
