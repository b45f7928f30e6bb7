import Bytes

/// A hash of an item's id that is the same for spellings that differ only in letter case.
///
/// Equal hashes make candidates, which are then compared exactly. With a seed that nobody can know
/// beforehand, a store cannot hold ids that were made to collide.
package func foldedHash(_ id: Span<UInt8>, seed: UInt64 = foldingSeed) -> UInt64 {
  // Letters beyond ASCII are folded as whole text; ids of SDKs hold none.
  hash(id, seed) { $0 & highBits == 0 ? lowercased($0) : nil } ?? slowHash(id, seed)
}

/// The same, for spellings that differ only in the case of ASCII letters.
package func asciiFoldedHash(_ id: Span<UInt8>, seed: UInt64) -> UInt64 {
  hash(id, seed, lowercased) ?? seed
}

/// The same, for one spelling only.
package func spelledHash(_ id: Span<UInt8>, seed: UInt64) -> UInt64 {
  hash(id, seed) { $0 } ?? seed
}

/// Which of an id's letters are capitals, a bit for each: all in which its spellings differ.
///
/// That is not known where letters are beyond ASCII, or too many.
func capitalLetters(of id: Span<UInt8>) -> UInt32 {
  var capitals: UInt32 = 0
  var letter: UInt32 = 1
  for place in id.indices {
    let byte = id[place]
    if byte & 0x80 != 0 { return unknownCapitals }
    guard (byte | 0x20) &- UInt8(ascii: "a") < 26 else { continue }
    if byte & 0x20 == 0 {
      guard letter != 0 else { return unknownCapitals }
      capitals |= letter
    }
    letter <<= 1
  }
  return capitals
}

/// Stands for capitals that are not known; so many are few enough to be looked at again.
let unknownCapitals = UInt32.max

/// What hashes begin with where no seed is given.
package let foldingSeed: UInt64 = 0xCBF2_9CE4_8422_2325

/// The highest bit of each byte of a word.
private let highBits: UInt64 = 0x8080_8080_8080_8080

/// A hash of eight bytes at a time, each as they fold; nil where they do not.
@inline(__always)
private func hash(
  _ id: Span<UInt8>, _ seed: UInt64, _ fold: (UInt64) -> UInt64?
) -> UInt64? {
  var hash = seed
  var place = 0
  while place &+ 8 < id.count {
    guard let word = fold(loadWord(from: id, at: place)) else { return nil }
    hash = step(hash, word)
    place &+= 8
  }
  guard let word = fold(lastWord(of: id)) else { return nil }
  return step(step(hash, word), UInt64(id.count))
}

/// The last eight bytes, or all that there are.
@inline(__always)
private func lastWord(of id: Span<UInt8>) -> UInt64 {
  guard id.count < 8 else { return loadWord(from: id, at: id.count &- 8) }
  var word: UInt64 = 0
  for place in id.indices { word = word << 8 | UInt64(id[place]) }
  return word
}

private func slowHash(_ id: Span<UInt8>, _ seed: UInt64) -> UInt64 {
  var bytes: [UInt8] = []
  bytes.append(id)
  let folded = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
  // The Kelvin sign and its like fold to ASCII, and then have the hash of what they fold to.
  guard folded.contains(where: { $0 >= 0x80 }) else { return foldedHash(folded.span, seed: seed) }
  return spelledHash(folded.span, seed: seed)
}

/// Eight bytes, of which ASCII characters are in lower case.
@inline(__always)
private func lowercased(_ word: UInt64) -> UInt64 {
  // No sum leaves its byte, whose highest bit tells whether it is at least `A`, or beyond `Z`.
  let ones: UInt64 = 0x0101_0101_0101_0101
  let low = word & ~highBits
  let capitals = (low &+ ones &* 0x3F) & ~(low &+ ones &* 0x25) & ~word & highBits
  return word | capitals &>> 2
}

private func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
  let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
  return product.high ^ product.low
}
