import Testing

@testable import Records

struct HashPlacesTests {
  @Test func placesOfOneHashComeInTheOrderInWhichTheyWereAdded() {
    var places = HashPlaces(capacity: 6)
    let hashes: [UInt64] = [7, 9, 7, 23, 7, 1 << 40]
    for (place, hash) in hashes.enumerated() { places.add(place, hash: hash) }
    var found: [Int] = []
    places.forEach(7) { place in
      found.append(place)
      return false
    }
    #expect(found == [0, 2, 4])
  }

  @Test func searchEndsWhenAskedTo() {
    var places = HashPlaces(capacity: 2)
    places.add(3, hash: 1)
    places.add(4, hash: 1)
    var count = 0
    places.forEach(1) { _ in
      count += 1
      return true
    }
    #expect(count == 1)
  }

  @Test(arguments: [0, 1, 7, 1000])
  func aFilterLetsAllThroughThatWasAddedAndLittleElse(count: Int) {
    var filter = HashFilter(capacity: count)
    var generator = SystemRandomNumberGenerator()
    let hashes = (0..<count).map { _ in generator.next() }
    for hash in hashes { filter.add(hash) }
    #expect(hashes.allSatisfy(filter.mayContain))
    let others = (0..<10_000).count { _ in filter.mayContain(generator.next()) }
    #expect(others < 2_000)
  }

  @Test func hashesDifferByMoreThanLetterCase() {
    let (first, second, other) = (Array("Größe".utf8), Array("GRÖSSE".utf8), Array("gRÖßE".utf8))
    #expect(foldedHash(first.span, seed: 5) == foldedHash(other.span, seed: 5))
    #expect(foldedHash(first.span, seed: 5) != foldedHash(second.span, seed: 5))
    #expect(foldedHash(first.span, seed: 5) != foldedHash(first.span, seed: 6))
  }

  @Test(arguments: 0...25)
  func hashesOfASCIIDifferByMoreThanLetterCase(length: Int) {
    // All characters around the letters, so that no other byte counts as one.
    let text = (0..<length).map { UInt8(0x3E + ($0 &* 7 &+ length) % 0x41) }
    let upper = Array(String(decoding: text, as: UTF8.self).uppercased().utf8)
    #expect(foldedHash(text.span) == foldedHash(upper.span))
    for place in text.indices {
      var other = text
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[place] | 0x20
      other[place] ^= isLetter ? 0x10 : 0x20
      #expect(foldedHash(text.span) != foldedHash(other.span))
    }
    let longer = text + [0]
    #expect(foldedHash(text.span) != foldedHash(longer.span))
  }

  @Test func hashIsThatOfWhatLettersBeyondASCIIFoldTo() {
    let (kelvin, plain) = (Array("20 \u{212A}".utf8), Array("20 k".utf8))
    #expect(foldedHash(kelvin.span, seed: 5) == foldedHash(plain.span, seed: 5))
  }
}
