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
    // Where no such file can be made, everything stays in memory until there is twice as much.
    guard let file = file ?? (try? SpoolFile()) else {
      limit = 2 * bytes.count
      return
    }
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
    if bytes.count > limit { spillIfPossible() }
    return start
  }

  /// Where the file takes no more, it is not asked again until there is twice as much for it.
  private mutating func spillIfPossible() {
    do { try spill() } catch { limit = 2 * bytes.count }
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
  ///
  /// Who knows how many bytes it takes with its count spares reading in vain.
  package func withCounted<Result>(
    at start: Int, expecting size: Int? = nil, _ body: (_ piece: Span<UInt8>) -> Result
  ) -> Result {
    guard start < base else {
      let rest = bytes.span.extracting((start &- base)...)
      return body(rest.extracting(countedPiece(in: rest, at: 0) ?? 0..<0))
    }
    let ahead = min(size ?? Self.ahead, base &- start)
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

  /// Lends all pieces, which are counted and have no step, in their order, and tells where they begin;
  /// those behind one that cannot be read are left out.
  package func forEachCounted(_ body: (_ start: Int, _ piece: Span<UInt8>) -> Void) {
    var start = 0
    var size = Self.part
    while start < base {
      let count = min(size, base &- start)
      guard let part = try? file?.read(at: start, count: count) else { return }
      let gone = Self.forEachCounted(in: part.span) { body(start &+ $0, $1) }
      guard gone > 0 || count == size else { return }
      // One that is longer than what was read of it is read again.
      size = gone > 0 ? Self.part : 2 * size
      start &+= gone
    }
    _ = Self.forEachCounted(in: bytes.span) { body(base &+ $0, $1) }
  }

  /// Lends the pieces that are there as a whole, and tells where the last of them ends.
  private static func forEachCounted(
    in bytes: Span<UInt8>, _ body: (_ start: Int, _ piece: Span<UInt8>) -> Void
  ) -> Int {
    var start = 0
    while let piece = countedPiece(in: bytes, at: start) {
      body(start, bytes.extracting(piece))
      start = piece.upperBound
    }
    return start
  }

  /// How many bytes are read at once where all are gone through.
  private static let part = 1 << 16
}
