import CommandLineKit
import Exports
import Records

/// Where a page or a list goes: a file that appears when it is complete, or standard output.
final class AuditFile {
  /// The name that stands for standard output.
  static let standardOutput = "-"

  private var output: ExportOutput?

  /// Begins a file, or nothing where it is standard output that is meant.
  ///
  /// - Throws: `StoreError` when it exists and may not be replaced, or cannot be made.
  init(for path: String, _ settings: RunSettings) throws(StoreError) {
    output =
      path == Self.standardOutput
      ? ExportOutput(to: settings.console.writeOutput)
      : try ExportOutput(toFileAt: path, replacing: settings.arguments.flag("force"))
  }

  /// Adds bytes.
  ///
  /// - Throws: `StoreError` when they cannot be written.
  func write(_ bytes: [UInt8]) throws(StoreError) { try output?.write(bytes) }

  /// Gives the file its name.
  ///
  /// - Throws: `StoreError` when that fails.
  func publish() throws(StoreError) { try output.take()?.finish() }
}
