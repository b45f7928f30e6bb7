import Bytes
import Records

/// The file that a page is written to; it appears under its name when the page is complete.
final class AuditPageFile {
  private var staged: StagedOutput?

  /// Begins a file.
  ///
  /// - Throws: `StoreError` when it exists and may not be replaced, or cannot be made.
  init(for path: String, replacing isReplacing: Bool) throws(StoreError) {
    staged = try storeErrors { () throws(FileError) in
      try StagedOutput(for: path, replacing: isReplacing)
    }
  }

  /// Adds bytes.
  ///
  /// - Throws: `StoreError` when they cannot be written.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    try storeErrors { () throws(FileError) in try staged?.write(bytes.span) }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `StoreError` when that fails.
  func publish() throws(StoreError) {
    guard let staged = staged.take() else { return }
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }
}
