import Glibc

/// Why a file or folder could not be read, written or put in place.
package struct FileError: Error, Equatable, Sendable {
  /// The kinds of trouble that callers tell apart.
  package enum Code: Sendable {
    /// There is no such file, or a folder on the way to it is missing.
    case missing
    /// The system does not allow it.
    case notPermitted
    /// The name is taken.
    case exists
    /// The disk or the quota is full.
    case noSpace
    /// A folder stands where a file is needed.
    case isDirectory
    /// A device or a pipe stands where a file is needed.
    case notAFile
    /// The file system takes no changes.
    case readOnly
    /// Nobody reads any more what is written.
    case brokenPipe
    /// Anything else, such as a damaged disk; `errno` says what.
    case other
  }

  /// The kind of trouble.
  package let code: Code

  /// The file or folder concerned.
  package let path: String?

  /// The system's number for the cause.
  let errno: Int32

  /// What was tried, as a verb: `read`, `write`, `create`.
  let operation: String

  /// Describes a failed system call.
  package init(operation: String, path: String, errno: Int32) {
    code = Code(errno: errno)
    self.path = path
    self.errno = errno
    self.operation = operation
  }
}

extension FileError.Code {
  /// The kind to which one of the system's numbers belongs.
  init(errno: Int32) {
    self =
      switch errno {
      case ENOENT, ENOTDIR: .missing
      case EACCES, EPERM: .notPermitted
      case EEXIST, ENOTEMPTY: .exists
      case ENOSPC, EDQUOT: .noSpace
      case EISDIR: .isDirectory
      case ESPIPE: .notAFile
      case EROFS: .readOnly
      case EPIPE: .brokenPipe
      default: .other
      }
  }
}

extension FileError: CustomStringConvertible {
  /// What happened, where and why, as `cannot write /x/y: no space left on device`.
  package var description: String {
    "cannot \(operation) \(path ?? "a file"): \(reason)"
  }

  /// The system's words for the cause.
  var reason: String {
    // The system's words, "illegal seek" and "bad file descriptor", tell a person nothing.
    if code == .notAFile { return "it is no plain file" }
    if errno == EBADF { return "it is closed" }
    if isInUse { return "another run is working with it" }
    if code == .isDirectory, operation == "create", path?.utf8.last == UInt8(ascii: "/") {
      return "its name ends in a slash, as only those of folders do"
    }
    // The buffer is larger than any of the system's messages, which it ends with a zero.
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(errno, start, 256) == 0 else {
        return "error \(errno)"
      }
      return unsafe String(cString: start)
    }
    // The first letter becomes small, unless an abbreviation such as "RPC" starts the message.
    let letters = text.unicodeScalars
    guard let second = letters.dropFirst().first, !second.properties.isUppercase else {
      return text
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension FileError: Failure {
  package var kind: FailureKind {
    switch code {
    case .brokenPipe: .brokenPipe
    case .noSpace: .noSpace
    // No input is missing, but the place for copies of it.
    case _ where isTemporary: .noSpace
    case .exists: .exists
    case _ where isInUse: .temporary
    case .missing, .isDirectory, .notAFile, .readOnly, .notPermitted, .other:
      operation == "create" ? .cannotCreate : isPrivate ? .inputOutput : inputKind
    }
  }

  package var message: String { "cannot \(operation) it: \(reason)" }

  package var hint: String? {
    if isTemporary || isPrivate && code == .noSpace { return Self.hintOnTemporaryFolder }
    return switch code {
    // Names that the input gives may be what no folder takes.
    case _ where isPrivate: nil
    case _ where isInUse: "wait until it is done, and run again"
    case .exists where operation == "replace": "give another name"
    case .notAFile where operation == "create":
      "name a plain file; where an option can write to standard output, that is -"
    case .exists: "give another name, or --force to replace it"
    case .noSpace: "make room on the disk, or write elsewhere"
    case .other where operation == "create" && errno == EINVAL: "give it a name of its own"
    case .missing where operation == "create" && errno == ENOTDIR:
      "write elsewhere: a file stands where the path has a folder"
    case .missing where operation == "create": "make the folder first"
    case .isDirectory where operation == "create": "give the name of a file"
    case .notPermitted where operation == "create": "write to a folder of your own"
    case .notPermitted where path?.hasSuffix("-wal") == true:
      "without it the newest changes would be missing; copy it with the database to where you may "
        + "read both"
    case .notPermitted: "ask its owner, or copy it to where you may read it"
    case .missing: Self.hint(onMissing: path ?? "")
    case .isDirectory, .notAFile, .readOnly, .brokenPipe, .other: nil
    }
  }

  /// What to try where a file of our own finds no place.
  package static let hintOnTemporaryFolder =
    "set TMPDIR to a folder that can be written and has room"

  /// The same trouble, told of the folder in which files of our own are: the name of such a file means
  /// nothing to a person.
  package var ofPrivateFile: FileError {
    // What is read is not ours, whatever its folder is called.
    guard ["create", "write"].contains(operation), let path,
      let folder = folder(ofPrivateFileAt: path)
    else { return self }
    return FileError(operation: operation + Self.endOfPrivate, path: folder, errno: errno)
  }

  private static let endOfPrivate = " a private file in"

  /// What to try where nothing stands at a path.
  package static func hint(onMissing path: String) -> String {
    // The mark stands for bytes that are no text, also where the file has it in its name.
    path.unicodeScalars.contains("\u{FFFD}")
      ? "names that are not UTF-8 cannot be read from a command line: give it another one; a store is also "
        + "found where the folder that it lies in is named"
      : "check the spelling of the path"
  }

  /// Whether another run has locked what is to be replaced.
  private var isInUse: Bool { operation == "replace" && errno == EWOULDBLOCK }

  /// Whether there is no place for a private file or folder.
  ///
  /// What the input is called may keep such a file from being made, but not from being written.
  private var isTemporary: Bool {
    operation.hasPrefix("make ") || operation == "write" + Self.endOfPrivate
  }

  /// Whether it is a private file that could not be made or written in its place.
  private var isPrivate: Bool { operation.hasSuffix(Self.endOfPrivate) }

  private var inputKind: FailureKind {
    switch code {
    case .missing: .missing
    case .notPermitted: .notPermitted
    case .notAFile: .notAStore
    default: .inputOutput
    }
  }
}
