import Bytes
import Records

/// Goes through the bytes that stand for an object of an XML store: its relationships, a zero, and its
/// values to the end.
///
/// A piece that cannot be read has no bytes, and so nothing.
struct XMLPieceReader {
  private var place = 0

  /// The next relationship; nil behind the last one.
  mutating func nextLink(of piece: Span<UInt8>) -> XMLContents.Link? {
    guard let (name, destination, count) = nextHead(of: piece) else { return nil }
    var targets: [XMLIdentifier] = []
    targets.reserveCapacity(count)
    for _ in 0..<count { targets.append(XMLIdentifier(code: number(piece))) }
    return XMLContents.Link(name: name, destination: destination, targets: targets)
  }

  /// Goes on to the first value.
  mutating func skipLinks(of piece: Span<UInt8>) {
    while let (_, _, count) = nextHead(of: piece) {
      for _ in 0..<count { _ = number(piece) }
    }
  }

  /// The next value, behind all relationships; nil behind the last one.
  mutating func nextValue(of piece: Span<UInt8>) -> XMLContents.Value? {
    guard place < piece.count else { return nil }
    let (name, type, count) = (number(piece), number(piece), number(piece))
    defer { place += count }
    return XMLContents.Value(
      name: name, type: CoreDataXMLType.allCases[type], text: place..<place + count)
  }

  private mutating func nextHead(
    of piece: Span<UInt8>
  ) -> (name: Int, destination: Int?, targets: Int)? {
    let name = number(piece)
    guard name > 0 else { return nil }
    let destination = number(piece)
    return (name - 1, destination > 0 ? destination - 1 : nil, number(piece))
  }

  private mutating func number(_ piece: Span<UInt8>) -> Int {
    place < piece.count ? Int(truncatingIfNeeded: packedNumber(piece, &place)) : 0
  }
}

extension [UInt8] {
  /// Begins a relationship, behind which its targets are to be appended as numbers.
  mutating func appendLink(name: Int, destination: Int?, targets: Int) {
    append(number: name + 1)
    append(number: destination.map { $0 + 1 } ?? 0)
    append(number: targets)
  }

  /// Ends the relationships.
  mutating func endLinks() { append(number: 0) }

  mutating func appendValue(name: Int, _ type: CoreDataXMLType, _ text: Span<UInt8>) {
    append(number: name)
    append(number: CoreDataXMLType.allCases.firstIndex(of: type) ?? 0)
    append(number: text.count)
    append(text)
  }

  mutating func append(number: Int) { append(packed: UInt64(truncatingIfNeeded: number)) }
}
