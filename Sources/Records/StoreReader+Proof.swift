import Bytes

// What proves that a source stayed as it was.

extension StoreReader {
  /// Runs `body`, and makes sure that the files of the source are then what they were when it was
  /// opened; errors call the source by `name`, or else by its file.
  ///
  /// - Throws: `StoreError` of `body`, or of kind `temporary` where somebody changed the source,
  ///   whatever that looked like.
  package func unchanged<Value>(
    called name: String? = nil, while body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let value: Value
    do {
      value = try body()
    } catch {
      // What somebody writes to meanwhile looks damaged.
      if error.kind.mayComeOfChange { try expectUnchanged(called: name) }
      throw error
    }
    try expectUnchanged(called: name)
    return value
  }

  /// Throws when a file of the source has changed since it was opened.
  package func expectUnchanged(called name: String? = nil) throws(StoreError) {
    // What cannot be looked at any more is not as it was.
    guard (try? isSourceUnchanged()) != true else { return }
    throw StoreError(SourceChange(of: name ?? inputFiles.first))
  }
}
