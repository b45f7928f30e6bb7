package import Bytes
import Formats
package import Records

/// Why a place, or a store in one, cannot be read.
package struct PlaceFailure: Error, Sendable, Equatable {
  /// The stable words for what is wrong.
  package enum Code: String, Sendable {
    case encrypted
    case damaged
    case unsupported
    case truncated
    case checksum
    case limit
    case overlap
    case fileMissing = "file-missing"
    case unreadable
  }

  /// The stable word.
  package let code: Code
  /// What happened.
  package let message: String
  /// What to try.
  package let hint: String?
  /// The kind of failure that it is to a command.
  package let kind: FailureKind

  /// A failure with what a person needs to act on it.
  init(_ code: Code, _ message: String, hint: String? = nil) {
    self.init(code, code.kind, message, hint: hint)
  }

  private init(_ code: Code, _ kind: FailureKind, _ message: String, hint: String?) {
    self.code = code
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  /// The same failure with something else to try.
  func hinting(_ hint: String) -> PlaceFailure { PlaceFailure(code, kind, message, hint: hint) }

  /// The same failure in other words.
  func telling(_ message: String) -> PlaceFailure { PlaceFailure(code, kind, message, hint: hint) }

  /// What the system says of a file that has the name of what cannot be read.
  init(_ error: FileError) { self.init(.unreadable, error.kind, error.message, hint: error.hint) }

  /// Why no private file can be made, or how far it could be written.
  init(ofPrivateFile error: FileError) {
    let own = error.ofPrivateFile
    self.init(.unreadable, own.kind, own.description, hint: own.hint)
  }

  /// That private copies would fill the disk, which is no fault of a store.
  static let noRoomForCopies = PlaceFailure(
    .limit, .noSpace, "the copies take more than three quarters of the free disk",
    hint: "set TMPDIR to a folder with more room")

  /// That what was named inside of a container is not there.
  static func noSuchPart(of container: String) -> PlaceFailure {
    PlaceFailure(
      .fileMissing, .missing, "there is no such store in \(container)",
      hint: "see what is there: rehome find \(quotedForShell(container))")
  }

  /// Why a part of a place, which a person knows by some words, cannot be read.
  init(_ error: some Failure, reading part: String) {
    self.init(.unreadable, error.kind, "\(part): \(error.message)", hint: error.hint)
  }

  /// That a member has another size than its archive says.
  init(size: Int, insteadOf told: Int) {
    self.init(
      size < told ? .truncated : .checksum, "the file has \(size) bytes in place of \(told)",
      hint: "copy the archive again")
  }

  /// What the syntax of an archive says.
  init(_ error: FormatError) {
    let code: Code =
      switch error.code {
      case .truncated: .truncated
      case .invalid: .damaged
      case .limit: .limit
      case .unsupported: .unsupported
      case .checksum: .checksum
      case .overlap: .overlap
      case .encrypted: .encrypted
      case .unreadable: .unreadable
      }
    let hint: String? =
      switch code {
      case .encrypted: "unpack it with its password first"
      case .limit: "if you trust it, unpack it yourself, and name the folder"
      case .truncated: "copy it again; its end is missing"
      case .unsupported: "unpack it with another program, and name the folder"
      default: nil
      }
    self.init(code, error.kind, error.description, hint: error.hint ?? hint)
  }

  /// The same as an error that stops a command.
  package func storeError(path: String) -> StoreError {
    StoreError(kind, path: path, message, hint: hint)
  }
}

extension PlaceFailure.Code {
  /// What a failure mostly is to a command.
  fileprivate var kind: FailureKind {
    switch self {
    case .encrypted, .unsupported: .unsupported
    case .damaged, .truncated, .checksum, .overlap, .fileMissing: .damaged
    case .limit: .limit
    case .unreadable: .inputOutput
    }
  }
}
