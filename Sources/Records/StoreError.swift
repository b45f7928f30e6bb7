package import Bytes

/// What stops a reader or a writer; findings and rejects never do.
package struct StoreError: Failure, Sendable, Equatable {
  package let kind: FailureKind
  package var path: String?
  package let message: String
  package var hint: String?

  /// An error with what a person needs to act on it.
  package init(_ kind: FailureKind, path: String? = nil, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.path = path
    self.message = message
    self.hint = hint
  }

  /// The error of a layer below, with a sentence of context in front.
  package init(_ cause: some Failure, context: String? = nil, path: String? = nil) {
    self.init(
      cause.kind, path: path ?? cause.path,
      [context, cause.message].compactMap(\.self).joined(separator: ": "), hint: cause.hint)
  }
}

extension StoreError {
  /// A signal has asked to stop.
  package static var interrupted: StoreError { StoreError(.interrupted, "stopped by a signal") }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    [path, message].compactMap(\.self).joined(separator: ": ")
  }
}

/// Runs `body` and turns the error of a layer below into a `StoreError`.
package func storeErrors<Value: ~Copyable, Cause: Failure>(
  _ context: String? = nil, path: String? = nil, _ body: () throws(Cause) -> Value
) throws(StoreError) -> Value {
  do {
    return try body()
  } catch {
    throw StoreError(error, context: context, path: path)
  }
}

/// Fails where something that was set aside in a file could not be read back, so that whatever was
/// made since may lack it.
package func checkWhatWasSetAside() throws(StoreError) {
  try storeErrors("what was set aside in a file cannot be read again") { () throws(FileError) in
    try SpoolFile.checkReading()
  }
}
