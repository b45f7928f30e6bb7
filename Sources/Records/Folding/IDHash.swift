import Bytes

/// A hash of an item's id that is the same for spellings that differ only in letter case.
///
/// Equal hashes make candidates, which are then compared exactly. With a seed that nobody can know
/// beforehand, a store cannot hold ids that were made to collide.
package func foldedHash(_ id: Span<UInt8>, seed: UInt64 = foldingSeed) -> UInt64 {
  var hash = seed
  var place = 0
  while place &+ 8 <= id.count {
    let word = loadWord(from: id, at: place)
    // Letters beyond ASCII are folded as whole text; ids of SDKs hold none.
    guard word & highBits == 0 else { return slowHash(id, seed) }
    hash = step(hash, lowercased(word))
    place &+= 8
  }
  var rest: UInt64 = 0
  while place < id.count {
    guard id[place] < 0x80 else { return slowHash(id, seed) }
    rest = rest << 8 | UInt64(id[place])
    place &+= 1
  }
  return step(step(hash, lowercased(rest)), UInt64(id.count))
}

/// What hashes begin with where no seed is given.
package let foldingSeed: UInt64 = 0xCBF2_9CE4_8422_2325

/// The highest bit of each byte of a word.
private let highBits: UInt64 = 0x8080_8080_8080_8080

private func slowHash(_ id: Span<UInt8>, _ seed: UInt64) -> UInt64 {
  var bytes: [UInt8] = []
  bytes.append(id)
  let folded = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
  // The Kelvin sign and its like fold to ASCII, and then have the hash of what they fold to.
  guard folded.contains(where: { $0 >= 0x80 }) else { return foldedHash(folded.span, seed: seed) }
  return folded.reduce(seed) { step($0, UInt64($1)) }
}

/// Eight ASCII characters in lower case.
private func lowercased(_ word: UInt64) -> UInt64 {
  // No sum leaves its byte, whose highest bit tells whether it is at least `A`, or beyond `Z`.
  let ones: UInt64 = 0x0101_0101_0101_0101
  let capitals = (word &+ ones &* 0x3F) & ~(word &+ ones &* 0x25) & highBits
  return word | capitals >> 2
}

private func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
  let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
  return product.high ^ product.low
}
