/// Lets the disk take what is written to the end of a file while there comes more, so that whoever makes
/// the file durable need not wait for all of it.
struct EarlyFlushing {
  /// Where what the disk was not told of begins, and how much it is.
  private var start: Int
  private var size = 0

  /// How much the disk is told of at once.
  private static let pieceSize = 8 << 20

  init(from start: Int) { self.start = start }

  /// Notes what was written behind the rest.
  mutating func note(_ count: Int, of file: borrowing FileDescriptor) {
    size += count
    guard size >= Self.pieceSize else { return }
    file.beginFlushing(start..<start + size)
    start += size
    size = 0
  }
}
