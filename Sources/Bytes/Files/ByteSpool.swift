/// Many pieces of bytes that are needed again later: few are kept in memory, many in a file.
///
/// The file has no name and is gone when the spool is. Copies may be read, but only one may grow.
package struct ByteSpool: Sendable {
  /// Where a piece is.
  package struct Place: Sendable, Equatable {
    fileprivate let start: Int
    fileprivate let count: Int32

    /// How many bytes it has.
    package var size: Int { Int(count) }
  }

  /// What was not handed to the file yet.
  private var bytes: [UInt8] = []
  /// Where these bytes belong in the file.
  private var base = 0
  private var file: SpoolFile?

  /// How many bytes stay in memory.
  private var limit: Int

  /// A spool with nothing in it, which keeps so many bytes in memory.
  package init(memoryLimit: Int = 1 << 20) { limit = memoryLimit }

  /// A spool with nothing in it, which keeps next to nothing in memory.
  package init(in file: SpoolFile) {
    self.file = file
    limit = 64 << 10
  }

  /// Keeps a piece.
  package mutating func append(_ piece: Span<UInt8>) throws(FileError) -> Place {
    let place = Place(start: base &+ bytes.count, count: Int32(clamping: piece.count))
    bytes.append(piece)
    if bytes.count > limit { try spill() }
    return place
  }

  /// The piece at a place.
  package func read(_ place: Place) throws(FileError) -> [UInt8] {
    let count = Int(place.count)
    if place.start >= base {
      let start = place.start &- base
      return Array(bytes[start..<start &+ count])
    }
    return try file?.read(at: place.start, count: count) ?? []
  }

  private mutating func spill() throws(FileError) {
    // Where no such file can be made, everything stays in memory.
    guard let file = file ?? (try? SpoolFile()) else { return }
    self.file = file
    try file.write(bytes.span, at: base)
    base &+= bytes.count
    // From now on there are fewer at a time, unless one piece alone is as long.
    bytes.removeAll(keepingCapacity: bytes.count <= 2 * Self.pieceLimit)
    limit = min(limit, Self.pieceLimit)
  }

  /// How many bytes stay in memory once there is a file.
  private static let pieceLimit = 1 << 20
}

extension ByteSpool {
  /// Keeps a piece behind a byte that counts what it has, and tells where; what no file can take
  /// stays in memory.
  ///
  /// Such a piece is found by its beginning alone. The next one begins at a multiple of `step` bytes.
  package mutating func append(counted piece: Span<UInt8>, step: Int = 1) -> Int {
    let start = base &+ bytes.count
    bytes.append(counted: piece)
    while (base &+ bytes.count) % step > 0 { bytes.append(0) }
    if bytes.count > limit { try? spill() }
    return start
  }

  /// The piece that begins at a place; empty where the file cannot be read.
  package func counted(at start: Int) -> [UInt8] {
    withCounted(at: start) { piece in
      var copy: [UInt8] = []
      copy.append(piece)
      return copy
    }
  }

  /// Lends the piece that begins at a place, which is not copied where it is in memory; an empty one
  /// where the file cannot be read.
  package func withCounted<Result>(
    at start: Int, _ body: (_ piece: Span<UInt8>) -> Result
  ) -> Result {
    guard start < base else {
      let rest = bytes.span.extracting((start &- base)...)
      return body(rest.extracting(countedPiece(in: rest, at: 0) ?? 0..<0))
    }
    let ahead = min(Self.ahead, base &- start)
    guard let first = try? file?.read(at: start, count: ahead),
      let head = headOfCounted(in: first.span, at: 0)
    else { return body(Span()) }
    if let piece = countedPiece(in: first.span, at: 0) {
      return body(first.span.extracting(piece))
    }
    guard let piece = try? file?.read(at: start &+ head.size, count: head.count) else {
      return body(Span())
    }
    return body(piece.span)
  }

  /// How many bytes are read at first.
  private static let ahead = 64
}
