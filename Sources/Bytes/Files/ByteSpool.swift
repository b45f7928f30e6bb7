/// Many pieces of bytes that are needed again later: few are kept in memory, many in a file.
///
/// The file has no name and is gone when the spool is. Copies may be read, but only one may grow.
package struct ByteSpool: Sendable {
  /// Where a piece is.
  package struct Place: Sendable, Equatable {
    fileprivate let start: Int
    fileprivate let count: Int32
  }

  /// What was not handed to the file yet.
  private var bytes: [UInt8] = []
  /// Where these bytes belong in the file.
  private var base = 0
  private var file: SpoolFile?

  private static let limit = 1 << 20

  /// A spool with nothing in it.
  package init() {}

  /// Keeps a piece.
  ///
  /// - Throws: `FileError` when the file for many pieces cannot be written.
  package mutating func append(_ piece: Span<UInt8>) throws(FileError) -> Place {
    let place = Place(start: base &+ bytes.count, count: Int32(clamping: piece.count))
    bytes.append(piece)
    if bytes.count > Self.limit { try spill() }
    return place
  }

  /// The piece at a place.
  ///
  /// - Throws: `FileError` when the file cannot be read.
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
    try file.append(bytes.span)
    base &+= bytes.count
    bytes.removeAll(keepingCapacity: true)
  }
}
