import Bytes
import Tables

/// What a key of the configuration says about a delta token, in any of the styles it had.
enum DotnetTokenKey: Equatable {
  /// Table and query stand apart.
  case separate(table: String, query: String)
  /// Table and query are joined with an underscore that either may hold, too.
  case joined(String)

  /// Reads a key; nil when it is no delta token's.
  init?(_ key: String) {
    if let rest = key.removing(prefix: "deltaToken|") {
      let parts = rest.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      self = .separate(table: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "")
    } else if key.hasSuffix("_deltaToken") {
      self = .joined(String(key.dropLast("_deltaToken".count)))
    } else if let rest = key.removing(prefix: "deltaToken_") {
      self = .joined(rest)
    } else if let infix = key.firstRange(of: "_deltaToken_") {
      self = .separate(
        table: String(key[..<infix.lowerBound]), query: String(key[infix.upperBound...]))
    } else {
      return nil
    }
  }

  /// The table as the store names it, and the query.
  func parts(_ names: TableNames) -> (table: String, query: String) {
    switch self {
    case .separate(let table, let query): (table, query)
    case .joined(let key): names.splitKey(key)
    }
  }
}
