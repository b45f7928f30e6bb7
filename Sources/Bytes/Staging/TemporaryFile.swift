import Glibc

/// An empty file that only the owner can read, removed when the value ends or a signal comes.
package final class TemporaryFile: Sendable {
  /// Where it is.
  package let path: String
  private let token: TemporaryPaths.Token
  /// The folder of its own, where it has one.
  private let folder: (path: String, token: TemporaryPaths.Token)?

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
    self.folder = nil
  }

  /// Makes a file of this name in a new folder inside of `parent`.
  package init(in parent: String, named name: String) throws(FileError) {
    let folder = try makePrivateFolder(in: parent)
    path = Paths.join(folder, name)
    token = TemporaryPaths.register(path)
    self.folder = (folder, TemporaryPaths.register(folder))
    try OutputFile(creating: path).close()
  }

  deinit {
    unsafe _ = unlink(path)
    TemporaryPaths.unregister(token)
    guard let folder else { return }
    unsafe _ = rmdir(folder.path)
    TemporaryPaths.unregister(folder.token)
  }
}

/// Makes a folder inside of another that only the owner can enter.
///
/// - Throws: `FileError` when that is not possible.
package func makePrivateFolder(in parent: String) throws(FileError) -> String {
  var template = Array(Paths.join(parent, "rehome-XXXXXX").utf8CString)
  // The call changes the template in place, which ends with a zero.
  let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.flatMap { start in unsafe mkdtemp(start) } != nil
  }
  guard made else {
    throw FileError(operation: "make a folder in", path: parent, errno: errno)
  }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
