package import Bytes
import Glibc

/// `FICLONE`, which the C headers spell as a macro that Swift does not import.
private let cloneRequest: UInt = 0x4004_9409

/// Copies a file, by reference where the file system can, to a new file of the owner's alone.
///
/// - Throws: `FileError` when either file cannot be opened, read or written.
package func copyFile(from source: String, to destination: String) throws(FileError) {
  try copyFile(from: source, to: destination, O_CREAT | O_EXCL)
}

private func copyFile(
  from source: String, to destination: String, _ flags: Int32
) throws(FileError) {
  let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
  guard input >= 0 else { throw FileError(operation: "open", path: source, errno: errno) }
  defer { close(input) }
  let output = unsafe open(destination, O_WRONLY | O_CLOEXEC | flags, 0o600)
  guard output >= 0 else { throw FileError(operation: "create", path: destination, errno: errno) }
  defer { close(output) }
  if ioctl(output, cloneRequest, input) == 0 { return }
  try copyBytes(from: input, to: output, source: source, destination: destination)
}

extension SourceDatabase {
  /// Copies the database, with all that its side files hold, over a file of our own.
  package func copy(over destination: String) throws(SQLiteError) {
    do {
      try copyFile(from: connection.path, to: destination, O_TRUNC)
    } catch {
      throw SQLiteError(error)
    }
  }
}

/// Copies through a buffer; `copy_file_range` is refused between too many kinds of file systems.
private func copyBytes(
  from input: Int32, to output: Int32, source: String, destination: String
) throws(FileError) {
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe read(input, bytes.baseAddress, bytes.count)
    }
    if count == 0 { return }
    guard count > 0 else {
      if errno == EINTR { continue }
      throw FileError(operation: "read", path: source, errno: errno)
    }
    var start = 0
    while start < count {
      let written = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(output, bytes.baseAddress.map { unsafe $0 + start }, count - start)
      }
      guard written > 0 else {
        if errno == EINTR { continue }
        throw FileError(operation: "write", path: destination, errno: errno)
      }
      start += written
    }
  }
}
