package import Bytes

/// Why a document could not be read to its end.
package struct XMLError: Error, Sendable {
  /// The kinds of trouble that callers tell apart.
  package enum Code: String, Sendable, CaseIterable {
    /// The document ends before its outermost element does.
    case truncated
    /// The document breaks a rule of XML.
    case notWellFormed
    /// The document has a document type declaration that is not allowed.
    case doctype
    /// The document declares or names an entity that XML itself does not define.
    case entity
    /// The document asks for more than the limits allow.
    case limit
    /// The bytes are not in the encoding that they ought to be in.
    case encoding
    /// The document is well formed, but it is not what its format says.
    case unexpected
    /// The bytes could not be had.
    case inputOutput
  }

  /// The kind of trouble.
  package let code: Code
  /// The line of the trouble, from 1; nil where there is no place.
  package let line: Int?
  /// The column of the trouble, in bytes from 1.
  let column: Int?
  /// What is wrong: lower case, no full stop, no place.
  package let reason: String
  /// The file, where the document was read from one.
  package var path: String?
  /// What kept the bytes from coming.
  let cause: (any Failure)?
  /// The limit of the run that was passed, where it was one of those.
  var limit: InputLimit?

  /// Describes trouble at a place of the document.
  package init(_ code: Code, line: Int? = nil, column: Int? = nil, _ reason: String) {
    self.code = code
    self.line = line
    self.column = column
    self.reason = reason
    cause = nil
  }

  /// Describes what the source of the bytes threw.
  init(source error: any Error) {
    if let known = error as? XMLError {
      self = known
      return
    }
    code = .inputOutput
    line = nil
    column = nil
    cause = error as? any Failure
    reason = cause?.message ?? String(describing: error)
    path = cause?.path
  }
}

extension XMLError: Failure {
  package var kind: FailureKind {
    switch code {
    case .truncated, .notWellFormed, .encoding, .unexpected: .damaged
    case .doctype, .entity: .unsupported
    case .limit: .limit
    case .inputOutput: cause?.kind ?? .inputOutput
    }
  }

  package var message: String {
    switch (line, column) {
    case (let line?, let column?): "\(reason) (line \(line), column \(column))"
    case (let line?, nil): "\(reason) (line \(line))"
    default: reason
    }
  }

  package var hint: String? {
    switch code {
    case .truncated: "copy the file again; its end is missing"
    case .inputOutput: cause?.hint
    case .limit: limit?.hint
    case .encoding: "make it UTF-8, as with iconv, and let it declare that"
    default: nil
    }
  }
}

extension XMLError: CustomStringConvertible {
  /// The message, after the path where there is one.
  package var description: String {
    [path, message].compactMap(\.self).joined(separator: ": ")
  }
}
