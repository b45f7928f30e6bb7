import Glibc

/// An empty file that only the owner can read, removed when the value ends or a signal comes.
package final class TemporaryFile: Sendable {
  /// Where it is.
  package let path: String
  private let token: TemporaryPaths.Token

  /// Makes a file in a folder.
  package init(in folder: String) throws(FileError) {
    var template = Array(Paths.join(folder, "rehome-XXXXXX").utf8CString)
    // The call changes the template in place, which ends with a zero.
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { start in unsafe mkstemp(start) } ?? -1
    }
    guard descriptor >= 0 else {
      throw FileError(operation: "make a file in", path: folder, errno: errno)
    }
    _ = Glibc.close(descriptor)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    token = TemporaryPaths.register(path)
  }

  deinit {
    unsafe _ = unlink(path)
    TemporaryPaths.unregister(token)
  }
}
