package import Bytes

/// What went wrong in the database engine, or with the files that make up a database.
package struct SQLiteError: Trouble, Sendable {
  /// The engine's own code.
  package let code: ResultCode
  package let kind: TroubleKind
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
    self.message = message
    self.path = path
    self.sql = sql
    self.hint =
      switch code {
      case .corrupt: "copy it again, or take an older copy"
      case .tooBig: InputLimit.valueBytes.hint
      default: nil
      }
  }

  /// Trouble with the files themselves.
  init(_ code: ResultCode, _ kind: TroubleKind, _ message: String, path: String, hint: String?) {
    self.code = code
    self.kind = kind
    self.message = message
    self.path = path
    self.hint = hint
  }

  /// Trouble that the file system or another reader of the file reported.
  package init(_ cause: some Trouble) {
    self.init(
      .inputOutput, cause.kind, cause.message, path: cause.path ?? "", hint: cause.hint)
  }

  private static func kind(of code: ResultCode) -> TroubleKind {
    switch code {
    case .corrupt: .damaged
    case .notADatabase: .notAStore
    case .full: .noSpace
    case .permission: .notPermitted
    case .interrupt: .interrupted
    case .tooBig, .noMemory: .limit
    // What we make has no rule that sound input breaks.
    case .constraint: .damaged
    case .cannotOpen, .busy, .inputOutput, .readOnly: .inputOutput
    default: .internalError
    }
  }
}
