package import Bytes

/// What a write-ahead log holds, as far as the engine would read it.
package struct WALSummary: Sendable, Equatable {
  /// How many frames belong to changes that were committed.
  package private(set) var committedFrames = 0
  /// How many frames follow that belong to none.
  package private(set) var uncommittedFrames = 0
  /// How many changes were committed.
  package private(set) var transactions = 0
  /// Why the log cannot be read to its end; nil where it can.
  package private(set) var trouble: Trouble?

  /// What is wrong with a log.
  package enum Trouble: Sendable, Equatable {
    /// It does not begin as one, so that nothing of it is read.
    case notALog
    /// A frame is not whole.
    case cutOff
    /// A frame is not what its checksum says.
    case damagedFrame(Int)
  }

  /// Reads the log at `path` a frame at a time.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  package init(ofFileAt path: String) throws(FileError) {
    var frames = try WALFrames(ofFileAt: path)
    while let frame = try frames.next() {
      uncommittedFrames += 1
      guard frame.isCommit else { continue }
      committedFrames += uncommittedFrames
      uncommittedFrames = 0
      transactions += 1
    }
    trouble = frames.trouble
  }
}
