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
    try file.write(bytes)
  }

  /// Writes what is left and gives the file its name.
  package consuming func publish() throws(FileError) {
    try file.close()
    try staged.publish()
  }
}
