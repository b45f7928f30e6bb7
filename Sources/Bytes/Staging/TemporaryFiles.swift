import Glibc
import Synchronization

/// The temporary files and folders to remove when a signal ends the process.
///
/// A fixed table holds a C string for each path. A slot's string belongs to whoever takes it out
/// with one atomic exchange, so that a signal handler and the code it interrupted never use the
/// same string.
package enum TemporaryPaths {
  /// What `unregister` needs to find a path again.
  package struct Token: Sendable {
    fileprivate let slot: Int
    fileprivate let address: UInt
  }

  private static let slots = InlineArray<4096, Atomic<UInt>> { _ in Atomic(0) }
  private static let nextSlot = Atomic<Int>(0)

  /// Sets up the table, which must have happened before a handler that calls `removeAll` runs.
  static func prepare() {
    _ = slots[0].load(ordering: .relaxed)
  }

  /// Adds a file or an (in the end) empty folder; it is left out when the table is full.
  package static func register(_ path: String) -> Token {
    // The copy stays allocated until whoever takes it out of its slot frees it.
    let copy = unsafe strdup(path)
    let address = UInt(bitPattern: copy)
    let first = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
    for distance in 0..<slots.count {
      let slot = (first &+ distance) & (slots.count - 1)
      let found = slots[slot].compareExchange(
        expected: 0, desired: address, ordering: .acquiringAndReleasing)
      if found.exchanged { return Token(slot: slot, address: address) }
    }
    unsafe free(copy)
    return Token(slot: 0, address: 0)
  }

  /// Takes a path out again, once, because it is gone or becomes permanent.
  ///
  /// - Returns: false when `removeAll` has already dealt with the path.
  @discardableResult
  package static func unregister(_ token: Token) -> Bool {
    guard token.address != 0 else { return true }
    let found = slots[token.slot].compareExchange(
      expected: token.address, desired: 0, ordering: .acquiringAndReleasing)
    // The exchange made this call the string's owner, and nobody else knows its address.
    if found.exchanged { unsafe free(UnsafeMutableRawPointer(bitPattern: token.address)) }
    return found.exchanged
  }

  /// Removes every registered file, then every registered folder that is empty by then.
  ///
  /// A signal handler may call this after `prepare`: it neither allocates nor locks.
  package static func removeAll() {
    // Folders become empty from the inside out, one level a pass.
    for _ in 0..<8 {
      var isDone = true
      for slot in 0..<slots.count where !remove(slot) { isDone = false }
      if isDone { return }
    }
  }

  /// Whether the slot's path, if it has one, is gone for good.
  private static func remove(_ slot: Int) -> Bool {
    let address = slots[slot].exchange(0, ordering: .acquiringAndReleasing)
    // A slot holds zero or the address of a C string, which now belongs to this call. It is not
    // freed, because that is not allowed in a signal handler.
    guard let path = unsafe UnsafePointer<CChar>(bitPattern: address) else { return true }
    if unsafe unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0 { return true }
    slots[slot].store(address, ordering: .releasing)
    return false
  }
}

/// An empty file that only the owner can read, removed when the value ends or a signal comes.
package final class TemporaryFile: Sendable {
  /// Where it is.
  package let path: String
  private let token: TemporaryPaths.Token
  /// The folder of its own, where it has one.
  private let folder: (path: String, token: TemporaryPaths.Token)?

  /// Makes a file in a folder.
  package init(in folder: String) throws(FileError) {
    var template = Array(Paths.join(folder, privateName).utf8CString)
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

/// What the system makes the name of a private file or folder of.
private let privateName = "rehome-XXXXXX"

/// The folder in which a private file is, or the private folder that it lies in; nil for other files.
func folder(ofPrivateFileAt path: String) -> String? {
  let prefix = privateName.prefix { $0 != "X" }
  var path = path
  while !["", "/", "."].contains(path) {
    let name = Paths.fileName(of: path)
    path = Paths.folder(of: path)
    if name.hasPrefix(prefix), name.utf8.count == privateName.utf8.count { return path }
  }
  return nil
}

/// Makes a folder inside of another that only the owner can enter.
package func makePrivateFolder(in parent: String) throws(FileError) -> String {
  var template = Array(Paths.join(parent, privateName).utf8CString)
  // The call changes the template in place, which ends with a zero.
  let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.flatMap { start in unsafe mkdtemp(start) } != nil
  }
  guard made else {
    throw FileError(operation: "make a folder in", path: parent, errno: errno)
  }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
