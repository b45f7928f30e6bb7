import CSQLite

/// A result of the C library: the exact code, and the broad one in its low byte.
package struct ResultCode: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The broad code that the exact one refines.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// Whether the code is this one, exactly or broadly.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  package static let row = ResultCode(rawValue: SQLITE_ROW)
  package static let done = ResultCode(rawValue: SQLITE_DONE)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let permission = ResultCode(rawValue: SQLITE_PERM)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}
