import Bytes
import Records

/// Goes through the bytes that stand for the values of an object of an XML store, or for one of its
/// relationships.
///
/// A piece that cannot be read has no bytes, and so nothing.
struct XMLPieceReader {
  private var place = 0

  /// The relationship; nil where the piece is none.
  mutating func link(of piece: Span<UInt8>) -> XMLContents.Link? {
    guard piece.count > 0 else { return nil }
    let (owner, name, destination) = (number(piece), number(piece), number(piece))
    var targets: [XMLIdentifier] = []
    while place < piece.count { targets.append(XMLIdentifier(code: number(piece))) }
    return XMLContents.Link(
      owner: owner, name: name, destination: destination > 0 ? destination - 1 : nil,
      targets: targets)
  }

  /// The next value; nil behind the last one.
  mutating func nextValue(of piece: Span<UInt8>) -> XMLContents.Value? {
    guard place < piece.count else { return nil }
    let (name, type, count) = (number(piece), number(piece), number(piece))
    defer { place += count }
    return XMLContents.Value(
      name: name, type: CoreDataXMLType.allCases[type], text: place..<place + count)
  }

  private mutating func number(_ piece: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: packedNumber(piece, &place))
  }
}

extension [UInt8] {
  /// Begins a relationship, behind which its targets are to be appended as numbers.
  mutating func appendLink(of owner: Int, name: Int, destination: Int?) {
    append(number: owner)
    append(number: name)
    append(number: destination.map { $0 + 1 } ?? 0)
  }

  mutating func appendValue(name: Int, _ type: CoreDataXMLType, _ text: Span<UInt8>) {
    append(number: name)
    append(number: CoreDataXMLType.allCases.firstIndex(of: type) ?? 0)
    append(number: text.count)
    append(text)
  }

  mutating func append(number: Int) { append(packed: UInt64(truncatingIfNeeded: number)) }
}
