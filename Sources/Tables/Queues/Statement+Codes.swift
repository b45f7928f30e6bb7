import SQLite

extension Statement {
  /// The whole number that a value stands for, which some SDKs keep as a real or in a text.
  package func wholeNumber(at column: Int) -> Int64? {
    switch storageClass(at: column) {
    case .integer: integer(at: column)
    case .real: Int64(exactly: real(at: column))
    case .text: strictText(at: column).flatMap(Self.wholeNumber)
    case .blob, .null: nil
    }
  }

  /// `2` and `2.0` are 2; anything else is no whole number.
  private static func wholeNumber(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.hasPrefix("+") else { return nil }
    if parts.count > 1 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
        return nil
      }
    }
    return Int64(whole)
  }
}
