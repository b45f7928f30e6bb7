import TestSupport
import Testing

@testable import Records

struct HashPlacesTests {
  @Test(arguments: [false, true])
  func placesOfOneHashComeInTheOrderInWhichTheyWereAdded(isWide: Bool) {
    var places = HashPlaces(capacity: 6, isWide: isWide)
    let hashes: [UInt64] = [7, 9, 7, 23, 7, 1 << 40].map { $0 << 8 }
    for (place, hash) in hashes.enumerated() { places.add(place, hash: hash) }
    #expect(places.all(of: 7 << 8) == [0, 2, 4])
  }

  @Test(arguments: [false, true])
  func searchEndsWhereItIsAnswered(isWide: Bool) {
    var places = HashPlaces(capacity: 3, below: 6, isWide: isWide)
    for place in 3...5 { places.add(place, hash: 1) }
    var count = 0
    let first = places.first(of: 1) { place in
      count += 1
      return place == 4
    }
    #expect(first == 4)
    #expect(count == 2)
  }

  @Test(arguments: [0, 1, 12, 13, 500, 3000], [false, true])
  func allThatThereIsRoomForIsFound(count: Int, isWide: Bool) {
    var places = HashPlaces(capacity: count, isWide: isWide)
    var generator = SeededGenerator(seed: 3)
    let hashes = (0..<count).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    for (place, hash) in hashes.enumerated() { places.add(place, hash: hash) }
    for (place, hash) in hashes.enumerated() {
      places.prepare(for: hash)
      #expect(places.first(of: hash) { $0 == place } == place)
      #expect(places.first(of: ~hash) { _ in true } == nil)
    }
  }

  @Test(arguments: [false, true])
  func aPlaceGivesWayToAnother(isWide: Bool) {
    var places = HashPlaces(capacity: 500, isWide: isWide)
    var generator = SeededGenerator(seed: 4)
    let hashes = (0..<100).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    for (place, hash) in hashes.enumerated() { places.add(place, hash: hash) }
    for (place, hash) in hashes.enumerated() {
      places.replace(place, hash: hash, with: place + 400)
    }
    for (place, hash) in hashes.enumerated() {
      #expect(places.first(of: hash) { _ in true } == place + 400)
    }
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

  @Test func onlyTheCaseOfASCIILettersIsIgnoredWhereAskedFor() {
    let (id, other) = (Array("Größe-ab".utf8), Array("gRößE-AB".utf8))
    let upper = Array("GRÖßE-AB".utf8)
    #expect(asciiFoldedHash(id.span, seed: 5) == asciiFoldedHash(other.span, seed: 5))
    #expect(asciiFoldedHash(id.span, seed: 5) != asciiFoldedHash(upper.span, seed: 5))
    #expect(spelledHash(id.span, seed: 5) == spelledHash(id.span, seed: 5))
    #expect(spelledHash(id.span, seed: 5) != spelledHash(other.span, seed: 5))
    #expect(spelledHash(id.span, seed: 5) != spelledHash(id.span, seed: 6))
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

extension HashPlaces {
  /// All places that may have a hash.
  fileprivate func all(of hash: UInt64) -> [Int] {
    var found: [Int] = []
    _ = first(of: hash) { place in
      found.append(place)
      return false
    }
    return found
  }
}
