import Bytes
import CommandLineKit
import Records
import Synchronization

/// Standard input and pipes among the inputs: `-`, `/dev/stdin` and what a shell makes of `<(…)`.
///
/// Each is copied into a private file, because stores are read from any place and plain files
/// twice. The files are shared by all who read them, so this has identity.
final class PipedInputs: Sendable {
  /// The copies, by the descriptor that was read.
  private let copies = Mutex<[Int32: TemporaryFile]>([:])
  /// What an input was called, by its descriptor; several names are an error.
  private let names: [Int32: [String]]

  /// Looks at the inputs of a command.
  init(_ arguments: ParsedArguments) {
    var names: [Int32: [String]] = [:]
    for word in arguments.allWords.map(\.text) {
      if let descriptor = Self.descriptor(of: word) { names[descriptor, default: []].append(word) }
    }
    self.names = names
  }

  /// Whether an input comes through an open descriptor.
  static func isPipe(_ path: String) -> Bool { descriptor(of: path) != nil }

  private static func descriptor(of path: String) -> Int32? {
    if ["-", "/dev/stdin"].contains(path) { return 0 }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count)).flatMap { $0 < 0 ? nil : $0 }
    }
    return nil
  }

  /// The file of an input, which is the copy of what comes through a descriptor.
  ///
  /// - Throws: `StoreError` when it cannot be read, is more than the limit, or is named twice; `isStopped` hears how
  /// much has come so far.
  func file(
    for path: String, in folder: String, isStopped: (_ bytes: Int) -> Bool
  ) throws(StoreError) -> String {
    guard let descriptor = Self.descriptor(of: path) else { return path }
    if let copy = copies.withLock({ $0[descriptor] }) { return copy.path }
    guard names[descriptor, default: []].count < 2 else {
      throw StoreError(.usage, path: path, "standard input can be read only once")
    }
    let copy = try storeErrors { () throws(FileError) in
      try TemporaryFile(in: folder, named: descriptor == 0 ? "stdin" : "pipe")
    }
    try Self.copy(descriptor, named: path, to: copy.path, isStopped)
    copies.withLock { $0[descriptor] = copy }
    return copy.path
  }

  private static func copy(
    _ descriptor: Int32, named name: String, to path: String, _ isStopped: (Int) -> Bool
  ) throws(StoreError) {
    let limit = InputLimits.current.pipe
    var input = InputFile(borrowing: descriptor, path: name == "-" ? "standard input" : name)
    var size = 0
    var buffer: [UInt8] = []
    do throws(FileError) {
      var output = try OutputFile(appendingTo: path)
      while true {
        // Without a signal that stops it, a run waits for whoever writes.
        guard !isStopped(size) else { throw FileError(operation: "read", path: name, errno: 0) }
        guard input.isReadable(withinMilliseconds: 100) else { continue }
        buffer.removeAll(keepingCapacity: true)
        guard try input.read(into: &buffer, atMost: 1 << 16) > 0 else { break }
        size += buffer.count
        if size > limit { break }
        try output.write(buffer.span)
      }
      try output.close()
    } catch {
      if isStopped(size) { throw StoreError(.interrupted, "stopped by a signal") }
      throw StoreError(error)
    }
    guard size <= limit else {
      throw StoreError(
        .limit, path: name, "more comes than \(Quantity.bytes(limit))", hint: InputLimit.pipe.hint)
    }
  }

  /// An error with the name that an input was given under in place of that of its copy.
  func named(_ error: StoreError) -> StoreError {
    for (descriptor, file) in copies.withLock({ $0 }) {
      guard let name = names[descriptor]?.first,
        error.path == file.path || error.message.contains(file.path)
      else { continue }
      return StoreError(
        error.kind, path: error.path == file.path ? name : error.path,
        error.message.replacing(file.path, with: name), hint: error.hint)
    }
    return error
  }
}
