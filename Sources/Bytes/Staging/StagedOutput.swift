/// Buffered output to a file that appears under its final name only when it is complete.
package struct StagedOutput: ~Copyable {
  private let staged: StagedFile
  private var file: OutputFile

  /// Begins a file for `destination`.
  ///
  /// - Throws: `FileError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(for destination: String, replacing: Bool) throws(FileError) {
    let staged = try StagedFile(for: destination, replacing: replacing)
    let file = try OutputFile(appendingTo: staged.temporaryPath)
    self.staged = staged
    self.file = file
  }

  /// Adds bytes to the file.
  package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
    do {
      try file.write(bytes)
    } catch {
      throw error.named(staged.destination)
    }
  }

  /// Writes what is left and gives the file its name.
  package consuming func publish() throws(FileError) {
    do {
      try file.close()
    } catch {
      throw error.named(staged.destination)
    }
    try staged.publish()
  }
}

extension FileError {
  /// The same error with the name that a person knows, not the one that stands in for it.
  fileprivate func named(_ destination: String) -> FileError {
    FileError(operation: operation, path: destination, errno: errno)
  }
}
