import Bytes
import Formats
import Foundation

/// A file in memory for readers that take files.
final class ScratchFile: Sendable {
  static let shared = ScratchFile()

  /// A folder for this process alone; `Tests/fuzz` removes what it leaves.
  let folder: String
  private let path: String

  private init() {
    let places = ["/dev/shm", "/tmp"]
    let place = places.first { FileManager.default.isWritableFile(atPath: $0) } ?? "."
    folder = place + "/rehome-fuzz-\(getpid())"
    path = folder + "/input"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  /// Writes bytes to a name in the folder.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "input") -> String {
    let path = folder + "/" + name
    try? Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Lends a stream of the bytes; what `body` throws is forgotten.
  func lend(_ bytes: [UInt8], _ body: (ByteStream) throws -> Void) {
    write(bytes)
    ignoringErrors { try body(try ByteStream(opening: path)) }
  }
}
