import Glibc

/// The right to be the only process that works with a file, held until the value goes away.
///
/// The system takes it back when the process ends, however that happens. It binds only those who
/// ask for it, and does not keep anybody from reading.
package struct FileLock: ~Copyable {
  private let descriptor: FileDescriptor

  /// Takes the lock on a file that exists; nil when somebody else has it.
  package static func take(on path: String) throws(FileError) -> FileLock? {
    let descriptor = try FileDescriptor(opening: path, O_RDONLY)
    guard try descriptor.lock() else { return nil }
    return FileLock(descriptor: descriptor)
  }
}
