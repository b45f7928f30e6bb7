import Bytes
import Records

/// A log that is packed by itself beside a store that is not: nobody unpacks it, and that is told.
enum PackedLog {
  /// What may stand so, by its ending.
  static let endings = ["-wal", "-journal"]

  static let failure = PlaceFailure(
    .unsupported, "it is packed by itself and not read: unpack it first")

  /// What to tell of the store at a path on the disk.
  static func findings(beside path: String) -> [Finding] {
    endings.compactMap { ending in
      guard ending == "-journal" || mayHaveLog(path),
        let packing = [GzipContainer.ending, GzipContainer.ending.uppercased()].first(where: {
          // What is packed beside a packed store is that one's.
          Paths.exists(path + ending + $0) && !Paths.exists(path + $0)
        }), !Paths.isPlainFile(path + ending)
      else { return nil }
      var file = ContainedFile(
        path: Paths.fileName(of: path) + ending + packing, kind: .gzip, size: 0, place: 0)
      file.failure = failure
      return SideFile(file: file, place: .ending(ending)).finding(failure, isLost: true)
    }
  }

  /// Whether a database may have a log: its header says that it has none where it keeps a journal.
  private static func mayHaveLog(_ path: String) -> Bool {
    var mode: [UInt8] = []
    // What cannot be read says nothing.
    try? PositionedFile(opening: path).read(at: 18, count: 1, appendingTo: &mode)
    return mode.first != 1
  }
}
