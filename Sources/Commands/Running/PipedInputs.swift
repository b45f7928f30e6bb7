import Bytes
import CommandLineKit
import Records
import Synchronization

/// Standard input and pipes among the inputs: `-`, `/dev/stdin` and what a shell makes of `<(…)`.
///
/// Each is copied into a private file, because stores are read from any place and plain files
/// twice. The files are shared by all who read them, so this has identity.
final class PipedInputs: Sendable {
  /// A copy, and what the input is called.
  private typealias Copy = (file: TemporaryFile, name: String)

  /// The copies, by the descriptor that was read.
  private let copies = Mutex<[Int32: Copy]>([:])
  /// How many inputs the command line names by a descriptor; several are an error.
  private let counts: [Int32: Int]
  /// The descriptors through which something else than an input comes.
  private let taken: Set<Int32>

  /// Looks at the inputs of a command.
  init(_ arguments: ParsedArguments) {
    var counts: [Int32: Int] = [:]
    for word in arguments.files.map(\.text) {
      if let descriptor = Self.descriptor(of: word) { counts[descriptor, default: 0] += 1 }
    }
    self.counts = counts
    let readers = ["files-from", "header-file"].filter { arguments.describes(option: $0) }
    taken = Set(readers.compactMap { arguments.value($0).flatMap { Self.descriptor(of: $0.text) } })
  }

  /// Whether an input comes through an open descriptor.
  static func isPipe(_ path: String) -> Bool { descriptor(of: path) != nil }

  /// The file that an input lies in, which for one that comes through a descriptor is the file that
  /// was opened; nil where that is a pipe or a terminal.
  static func file(behind path: String) -> String? {
    guard let descriptor = descriptor(of: path) else { return path }
    let name = "/proc/self/fd/\(descriptor)"
    guard Paths.exists(name), !Paths.isSpecial(name) else { return nil }
    // A file that was removed since has no name any more, but may have others.
    return Paths.resolved(name) ?? name
  }

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
    if let copy = copies.withLock({ $0[descriptor]?.file }) { return copy.path }
    guard !taken.contains(descriptor), counts[descriptor, default: 0] < 2 else {
      throw StoreError(.usage, path: path, "standard input can be read only once")
    }
    let copy = try storeErrors { () throws(FileError) in
      try TemporaryFile(in: folder, named: descriptor == 0 ? "stdin" : "pipe")
    }
    try Self.copy(descriptor, named: path, to: copy.path, isStopped)
    copies.withLock { $0[descriptor] = (copy, path) }
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
      if isStopped(size) { throw StoreError.interrupted }
      guard error.path == path else { throw StoreError(error) }
      let own = error.ofPrivateFile
      throw StoreError(own.kind, path: name, own.description, hint: own.hint)
    }
    guard size <= limit else {
      throw StoreError(
        .limit, path: name, "more comes than \(Quantity.bytes(limit))", hint: InputLimit.pipe.hint)
    }
  }

  /// An error with the name that an input was given under in place of that of its copy.
  func named(_ error: StoreError) -> StoreError {
    for (file, name) in copies.withLock({ Array($0.values) }) {
      guard error.path == file.path || error.message.contains(file.path) else { continue }
      return StoreError(
        error.kind, path: error.path == file.path ? name : error.path,
        error.message.replacing(file.path, with: name), hint: error.hint)
    }
    return error
  }
}
