import Records
import SQLite
import Tables

/// What a store shows that tells generations apart.
struct IOSTraits: Equatable, Sendable {
  /// Whether the tokens have a table.
  var hasConfiguration = false
  var hasTableKind = false
  /// Whether errors name their operation.
  var hasOperationID = false
  /// How many item tables have attributes that begin `ms_`.
  var oldTables = 0
  /// How many item tables have system attributes without a prefix.
  var newTables = 0
  /// Whether payloads or errors spell system properties in the old or in the new way.
  var hasOldPayloads = false
  var hasNewPayloads = false

  /// Whether system attributes of both spellings stand in item tables.
  var hasBothSpellings: Bool { oldTables > 0 && newTables > 0 }
}

/// Which generation a store is nearest to, and why.
struct IOSRecognition: Equatable, Sendable {
  let generation: IOSGeneration
  /// What speaks for it, then what differs from it, a sentence each.
  let evidence: [String]
  /// What a person should know of it.
  let findings: [Finding]

  /// Weighs the traits: the generation that differs from them in the fewest, the newest on a tie.
  init(_ traits: IOSTraits) {
    var best = IOSGeneration.g2
    var fewest = Int.max
    for generation in [IOSGeneration.g2, .g1, .g0] {
      let count = generation.checks(traits).count { !$0.holds }
      guard count < fewest else { continue }
      best = generation
      fewest = count
    }
    generation = best
    let checks = best.checks(traits)
    evidence =
      ["table \(IOSNames.operationsTable)"]
      + (checks + best.otherSpelling(traits)).evidence(for: best.rawValue)
    // Attributes without a prefix may be the app's own, but none begins `ms_` by chance.
    findings =
      best == .g2 && traits.hasBothSpellings
      ? [.twoGenerations("item tables have version and ms_version")] : []
  }
}

extension IOSGeneration {
  /// Compares the traits with what this generation wrote; traits that say nothing are left out.
  func checks(_ traits: IOSTraits) -> [TraitCheck] {
    let isFirst = self == .g0
    var checks = [
      TraitCheck(
        traits.hasConfiguration, expected: !isFirst, "table \(IOSNames.configurationTable)",
        "no table \(IOSNames.configurationTable)"),
      TraitCheck(
        traits.hasTableKind, expected: !isFirst, "operations have a table kind",
        "operations have no table kind"),
      TraitCheck(
        traits.hasOperationID, expected: !isFirst, "errors name their operation",
        "errors do not name their operation"),
    ]
    if traits.oldTables + traits.newTables > 0 {
      checks.append(
        TraitCheck(
          traits.newTables > traits.oldTables
            || (traits.newTables == traits.oldTables && self == .g2),
          expected: self == .g2,
          "\(count(traits.newTables)) with version, createdAt …",
          "\(count(traits.oldTables)) with ms_version …"))
    } else if traits.hasOldPayloads != traits.hasNewPayloads {
      checks.append(
        TraitCheck(
          traits.hasNewPayloads, expected: self == .g2, "payloads with the key version",
          "payloads with the key __version"))
    }
    return checks
  }

  /// What differs where item tables have both spellings; which has more has been weighed already.
  fileprivate func otherSpelling(_ traits: IOSTraits) -> [TraitCheck] {
    guard traits.hasBothSpellings else { return [] }
    let difference =
      self == .g2
      ? "\(count(traits.oldTables)) with ms_version …"
      : "\(count(traits.newTables)) with version, createdAt …"
    return [TraitCheck(true, expected: false, difference, "")]
  }

  /// A number of item tables, in words.
  private func count(_ tables: Int) -> String {
    "\(tables) item \(tables == 1 ? "table" : "tables")"
  }
}

extension IOSTraits {
  /// Looks at the tables of a store, and at payloads where the tables say nothing.
  ///
  /// `columns` holds the upper-case columns of every table, by upper-case name.
  init(
    reading connection: borrowing Connection, columns: [String: Set<String>]
  ) throws(SQLiteError) {
    hasConfiguration = columns[IOSNames.configurationTable] != nil
    hasTableKind = columns[IOSNames.operationsTable]?.contains("ZTABLEKIND") ?? false
    hasOperationID = columns[IOSNames.errorsTable]?.contains("ZOPERATIONID") ?? false
    // The version tells most; the dates are often the app's own.
    for column in ["VERSION", "UPDATEDAT", "CREATEDAT"] where oldTables + newTables == 0 {
      countTables(with: column, in: columns)
    }
    if oldTables + newTables == 0 {
      hasOldPayloads = try Self.payloads(of: connection, columns, contain: ["\"__version\""])
      hasNewPayloads = try Self.payloads(
        of: connection, columns, contain: ["\"version\"", "MicrosoftAzureMobile.ErrorDomain"])
    }
  }

  private mutating func countTables(with column: String, in columns: [String: Set<String>]) {
    for (table, names) in columns where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
      guard !table.hasPrefix("ZMS_TABLE") else { continue }
      if names.contains("ZMS_" + column) { oldTables += 1 }
      if names.contains("Z" + column) { newTables += 1 }
    }
  }

  private static func payloads(
    of connection: borrowing Connection, _ columns: [String: Set<String>], contain texts: [String]
  ) throws(SQLiteError) -> Bool {
    for table in [IOSNames.operationsTable, IOSNames.errorsTable] {
      guard columns[table]?.contains("ZPROPERTIES") ?? false else { continue }
      for text in texts {
        var statement = try connection.prepare(
          """
          SELECT 1 FROM \(quoted(table))
          WHERE instr(CAST(ZPROPERTIES AS TEXT), \(quotedLiteral(text))) > 0 LIMIT 1
          """)
        if try statement.step() { return true }
      }
    }
    return false
  }
}
