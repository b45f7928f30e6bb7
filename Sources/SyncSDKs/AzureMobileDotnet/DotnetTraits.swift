import Bytes
import SQLite
import Tables

/// What a store shows that tells generations apart.
struct DotnetTraits {
  /// Whether operations have a date, in the new and in the old spelling.
  var hasNewDate = false
  var hasOldDate = false
  /// Whether operations have a state or a version.
  var hasState = false
  var hasTableKind = false
  /// Whether errors repeat the operation's id.
  var hasOperationID = false
  /// Whether keys of the configuration have pipes, or the underscores of the previews.
  var hasPipeKeys = false
  var hasOldKeys = false

  /// Looks at the tables and at the keys of the configuration.
  init(_ tables: SystemTables, _ connection: borrowing Connection) throws(SQLiteError) {
    hasNewDate = tables.has(AzureMobileDotnet.operations, ["createdAt"])
    hasOldDate = tables.has(AzureMobileDotnet.operations, ["__createdAt"])
    hasState =
      tables.has(AzureMobileDotnet.operations, ["state"])
      || tables.has(AzureMobileDotnet.operations, ["version"])
    hasTableKind = tables.has(AzureMobileDotnet.operations, ["tableKind"])
    hasOperationID = tables.has(AzureMobileDotnet.errors, ["operationId"])
    guard
      var statement = try tables.select(["id"], from: AzureMobileDotnet.configuration, connection)
    else { return }
    while try statement.step(), !(hasPipeKeys && hasOldKeys) {
      guard let key = statement.strictText(at: 0) else { continue }
      if key.hasPrefix("deltaToken|") || key.hasPrefix("systemProperties|") {
        hasPipeKeys = true
      } else if key.hasSuffix("_systemProperties") || DotnetTokenKey(key) != nil {
        hasOldKeys = true
      }
    }
  }

  /// The nearest generation.
  ///
  /// `operationId` may survive from an older file, so the style of the keys counts more.
  var generation: AzureMobileDotnet.Generation {
    if hasNewDate || !hasOldDate { return .b }
    if hasTableKind { return hasOperationID && !hasPipeKeys ? .a2 : .a3 }
    return hasState ? .a1 : .a0
  }

  /// What speaks for the nearest generation and what differs from it, a sentence each.
  var evidence: [String] {
    let generation = generation
    let isB = generation == .b
    let isOld = generation == .a0 || generation == .a1
    var checks = [
      TraitCheck(
        hasNewDate, expected: isB, "operations have createdAt", "operations have no createdAt"),
      TraitCheck(
        hasOldDate, expected: !isB, "operations have __createdAt, of Mobile Services",
        "operations have no __createdAt"),
      TraitCheck(
        hasState, expected: generation != .a0, "operations have a state", "operations have no state"
      ),
      TraitCheck(
        hasTableKind, expected: !isOld, "operations have a table kind",
        "operations have no table kind"),
      TraitCheck(
        hasOperationID, expected: isOld || generation == .a2, "errors have an operationId",
        "errors have no operationId"),
    ]
    if hasPipeKeys || hasOldKeys {
      let isNew = generation == .a3 || isB
      checks.append(
        TraitCheck(hasPipeKeys, expected: isNew, "keys with pipes", "no keys with pipes"))
      checks.append(
        TraitCheck(
          hasOldKeys, expected: !isNew, "keys with underscores, of the previews",
          "no keys with underscores"))
    }
    return checks.evidence(for: generation.rawValue)
  }
}

/// What a key of the configuration says about a delta token, in any of the styles it had.
enum DotnetTokenKey: Equatable {
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

  func parts(_ names: TableNames) -> (table: String, query: String) {
    switch self {
    case .separate(let table, let query): (table, query)
    case .joined(let key): names.splitKey(key)
    }
  }
}
