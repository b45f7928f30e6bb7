import Bytes

/// A hash of an item's id that is the same for spellings that differ only in letter case.
///
/// Equal hashes make candidates, which are then compared exactly. With a seed that nobody can know
/// beforehand, a store cannot hold ids that were made to collide.
package func foldedHash(_ id: Span<UInt8>, seed: UInt64 = foldingSeed) -> UInt64 {
  var hash = seed
  for index in id.indices {
    let byte = id[index]
    // Letters beyond ASCII are folded as whole text; ids of SDKs hold none.
    guard byte < 0x80 else { return slowHash(id, seed) }
    hash = step(hash, byte &- 0x41 < 26 ? byte | 0x20 : byte)
  }
  return hash
}

/// What hashes begin with where no seed is given.
package let foldingSeed: UInt64 = 0xCBF2_9CE4_8422_2325

private func slowHash(_ id: Span<UInt8>, _ seed: UInt64) -> UInt64 {
  var bytes: [UInt8] = []
  bytes.append(id)
  let folded = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
  return folded.reduce(seed, step)
}

private func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
  // Multiplying alone moves nothing down, so the upper half is mixed in; overflow is meant.
  let mixed = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  return mixed ^ mixed >> 29
}
