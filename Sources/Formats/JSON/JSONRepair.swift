import Bytes

/// JSON whose texts hold half a surrogate pair, or bytes that are not UTF-8, with U+FFFD in their place.
///
/// Programs that cut a text inside of a character write such JSON, and most readers take it so; nil where
/// there is nothing of the kind.
package func replacingHalfCharacters(in json: Span<UInt8>) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.append(json)
  var isChanged = false
  if !isValidUTF8(json) {
    bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
    isChanged = true
  }
  var repaired: [UInt8] = []
  repaired.reserveCapacity(bytes.count)
  var place = 0
  while place < bytes.count {
    guard bytes[place] == UInt8(ascii: "\\") else {
      repaired.append(bytes[place])
      place += 1
      continue
    }
    let isPair = isHigh(unit(at: place, in: bytes)) && isLow(unit(at: place + 6, in: bytes))
    let length = isPair ? 12 : isHalf(unit(at: place, in: bytes)) ? 6 : 2
    if length == 6 {
      repaired.append(contentsOf: "\\uFFFD".utf8)
      isChanged = true
    } else {
      repaired += bytes[place..<min(place + length, bytes.count)]
    }
    place += length
  }
  return isChanged ? repaired : nil
}

/// The unit that an escape at a place stands for; nil where none is there that has digits.
private func unit(at place: Int, in bytes: [UInt8]) -> UInt16? {
  guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
    bytes[place + 1] == UInt8(ascii: "u")
  else { return nil }
  return UInt16(String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
}

private func isHigh(_ unit: UInt16?) -> Bool { unit.map { 0xD800..<0xDC00 ~= $0 } ?? false }
private func isLow(_ unit: UInt16?) -> Bool { unit.map { 0xDC00..<0xE000 ~= $0 } ?? false }
private func isHalf(_ unit: UInt16?) -> Bool { isHigh(unit) || isLow(unit) }
