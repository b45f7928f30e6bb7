/// What SQLite makes of a declared type: the class that it would like the values to have.
enum Affinity: Equatable {
  case integer
  case text
  case blob
  case real
  case numeric

  /// Reads a declared type by SQLite's own rules, in their order; no type at all is `blob`.
  init(declaredType: String) {
    let words = asciiLowercased(declaredType)
    if words.contains("int") {
      self = .integer
    } else if ["char", "clob", "text"].contains(where: words.contains) {
      self = .text
    } else if words.isEmpty || words.contains("blob") {
      self = .blob
    } else if ["real", "floa", "doub"].contains(where: words.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// The form that the affinity leaves no doubt about; nil where only the values tell.
  var form: ColumnForm? {
    switch self {
    case .integer: .integer
    case .text: .text
    case .real: .real
    case .blob, .numeric: nil
    }
  }
}
