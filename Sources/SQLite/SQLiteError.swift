package import Bytes
import CSQLite
import Glibc

/// What went wrong in the database engine, or with the files that make up a database.
package struct SQLiteError: Failure, Sendable {
  /// The engine's own code.
  package let code: ResultCode
  package let kind: FailureKind
  package var path: String?
  package let message: String
  package var hint: String?
  /// The statement without its values, where one was running.
  package var sql: String?

  /// The engine's code and words, while doing `sql`.
  ///
  /// In a hardened connection to a file from outside, a statement that fails for want of a table
  /// tells of the file and not of a mistake of ours.
  init(
    _ code: ResultCode, _ message: String, path: String?, sql: String? = nil,
    isEvidence: Bool = false
  ) {
    self.code = code
    let kind = Self.kind(of: code)
    self.kind =
      message.hasPrefix("too many columns")
      ? .unsupported : kind == .internalError && isEvidence ? .damaged : kind
    self.message = Self.words(of: code) ?? message
    self.path = path
    self.sql = sql
    self.hint =
      switch code {
      case .corrupt: "copy it again, or take an older copy"
      case .readOnly:
        "see who may write the file and its folder, or copy it to a folder of your own"
      case .full: "make room on the disk, or write elsewhere"
      case .tooBig: InputLimit.valueBytes.hint
      default: nil
      }
  }

  /// What the library says of a connection on which something just failed.
  @safe
  init(
    _ result: Int32, of connection: OpaquePointer?, path: String?, sql: String? = nil,
    isEvidence: Bool = false
  ) {
    var code = ResultCode(rawValue: result)
    var message = unsafe String(cString: sqlite3_errmsg(connection))
    // Where a side file cannot grow, or be made, the engine knows only that writing or opening failed.
    if .inputOutput ~= code || .cannotOpen ~= code,
      unsafe [ENOSPC, EDQUOT, EFBIG].contains(sqlite3_system_errno(connection))
    {
      code = .full
      message = unsafe String(cString: sqlite3_errstr(SQLITE_FULL))
    }
    self.init(code, message, path: path, sql: sql, isEvidence: isEvidence)
  }

  /// Failures of the files themselves.
  init(_ code: ResultCode, _ kind: FailureKind, _ message: String, path: String, hint: String?) {
    self.code = code
    self.kind = kind
    self.message = message
    self.path = path
    self.hint = hint
  }

  /// A failure that the file system or another reader of the file reported.
  package init(_ cause: some Failure) {
    self.init(
      .inputOutput, cause.kind, cause.message, path: cause.path ?? "", hint: cause.hint)
  }

  /// What to try where this is about a private copy.
  var hintOnCopy: String? { kind == .noSpace ? FileError.hintOnTemporaryFolder : hint }

  /// What a person is told where the engine's words say little.
  private static func words(of code: ResultCode) -> String? {
    switch code {
    case .readOnlyFolder: "nothing may be written into the folder that it is in"
    case .readOnly: "it may not be written to"
    default: nil
    }
  }

  /// How the message ends on a store that only a later engine can read, if it says what is true.
  package static let laterFormatWords = "of SQLite's format, of which 1 and 2 are read"

  /// The engine's words for pages that contradict each other.
  package static let damageWords = unsafe String(cString: sqlite3_errstr(SQLITE_CORRUPT))

  private static func kind(of code: ResultCode) -> FailureKind {
    switch code {
    case .corrupt: .damaged
    case .notADatabase: .notAStore
    case .full: .noSpace
    case .permission, .readOnly: .notPermitted
    case .interrupt: .interrupted
    case .tooBig, .noMemory: .limit
    // What we make has no rule that sound input breaks.
    case .constraint: .damaged
    // Whoever else uses the file will let go of it.
    case .busy: .temporary
    case .cannotOpen, .inputOutput: .inputOutput
    default: .internalError
    }
  }
}

/// A result of the C library: the exact code, and the broad one in its low byte.
package struct ResultCode: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The broad code that the exact one refines.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// Whether the statement itself fails with it, as where it computes what has no value, and not the
  /// file, the machine or who else uses them.
  package var isOfStatement: Bool {
    [.error, .tooBig, .mismatch, .notAuthorized].contains(primary)
  }

  /// Whether the code is this one, exactly or broadly.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  static let row = ResultCode(rawValue: SQLITE_ROW)
  static let done = ResultCode(rawValue: SQLITE_DONE)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  static let permission = ResultCode(rawValue: SQLITE_PERM)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// `SQLITE_READONLY_DIRECTORY`, which the C headers spell as a macro that Swift does not import.
  static let readOnlyFolder = ResultCode(rawValue: SQLITE_READONLY | 6 << 8)
  package static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  static let notAuthorized = ResultCode(rawValue: SQLITE_AUTH)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}
