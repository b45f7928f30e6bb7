import CoreData
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
  /// Whether rows of item tables have versions of both kinds, whatever tables the queue names.
  var hasRowsOfBoth = false
  /// Whether payloads or errors spell system properties in the old or in the new way.
  var hasOldPayloads = false
  var hasNewPayloads = false
  /// Whether errors are of the domain that the SDK had before or has since 3.0.
  var hasOldDomain = false
  var hasNewDomain = false

  /// Whether system attributes of both spellings stand in item tables.
  var hasBothSpellings: Bool { oldTables > 0 && newTables > 0 }

  /// Whether what was sent or answered is of the newest generation, and what says so; nil where
  /// nothing does, or both are there.
  fileprivate var sentSpelling: (isNew: Bool, evidence: String)? {
    if hasOldPayloads != hasNewPayloads {
      return (hasNewPayloads, "payloads with the key \(hasNewPayloads ? "" : "__")version")
    }
    guard hasOldDomain != hasNewDomain else { return nil }
    let domain = SyncNames.errorDomain(hasOldSpelling: hasOldDomain)
    return (hasNewDomain, "errors of the domain \(domain)")
  }
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
      traits.hasRowsOfBoth
      ? [.twoGenerations("rows of item tables have values in version and in ms_version")]
      : best == .g2 && traits.hasBothSpellings
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
    let sent = traits.sentSpelling
    if traits.oldTables + traits.newTables > 0 {
      let isTie = traits.newTables == traits.oldTables
      // What an older SDK queued may wait for long, but only the newest fills its columns.
      let isNew = traits.hasRowsOfBoth ? true : sent?.isNew ?? (self == .g2)
      checks.append(
        TraitCheck(
          isTie ? isNew : traits.newTables > traits.oldTables, expected: self == .g2,
          "\(count(traits.newTables)) with version, createdAt …",
          "\(count(traits.oldTables)) with ms_version …"))
    } else if let sent {
      checks.append(TraitCheck(sent.isNew, expected: self == .g2, sent.evidence, sent.evidence))
    }
    return checks
  }

  /// What differs where item tables have both spellings, or payloads another one; which tables are
  /// more has been weighed already.
  fileprivate func otherSpelling(_ traits: IOSTraits) -> [TraitCheck] {
    let isNewest = self == .g2
    var differences: [String] = []
    if traits.hasBothSpellings {
      differences.append(
        isNewest
          ? "\(count(traits.oldTables)) with ms_version …"
          : "\(count(traits.newTables)) with version, createdAt …")
    }
    if traits.oldTables != traits.newTables,
      isNewest ? traits.hasOldPayloads : traits.hasNewPayloads
    {
      differences.append("payloads with the key \(isNewest ? "__" : "")version")
    }
    return differences.map { TraitCheck(true, expected: false, $0, "") }
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
    try countTables(in: columns, connection)
    // Where the tables tell, only what differs is of interest.
    let isTold = oldTables != newTables
    if !isTold || newTables > oldTables {
      hasOldPayloads = try Self.payloads(of: connection, columns, haveKey: "__version", isTold)
    }
    if !isTold || oldTables > newTables {
      hasNewPayloads = try Self.payloads(of: connection, columns, haveKey: "version", isTold)
    }
    guard !isTold else { return }
    hasOldDomain = try Self.errors(
      of: connection, columns, contain: SyncNames.errorDomain(hasOldSpelling: true))
    hasNewDomain = try Self.errors(
      of: connection, columns, contain: SyncNames.errorDomain(hasOldSpelling: false))
  }

  /// Counts the item tables of each spelling; where there are both, only those count that the queue
  /// names, if it names any: others may be the app's own.
  private mutating func countTables(
    in columns: [String: Set<String>], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let items = columns.filter { table, names in
      table.hasPrefix("Z") && !table.hasPrefix("Z_") && !table.hasPrefix("ZMS_TABLE")
        && names.contains("ZID")
    }
    // The version tells most; the dates are often the app's own.
    for column in ["VERSION", "UPDATEDAT", "CREATEDAT"] where oldTables + newTables == 0 {
      countTables(with: column, in: items)
      guard hasBothSpellings else { continue }
      if column == "VERSION" {
        hasRowsOfBoth = try Self.haveVersionsOfBoth(items, connection)
      }
      let all = (oldTables, newTables)
      let named = try Self.namedTables(of: connection, columns)
      countTables(with: column, in: items.filter { named.contains($0.key) })
      if oldTables + newTables == 0 { (oldTables, newTables) = all }
    }
  }

  private mutating func countTables(with column: String, in items: [String: Set<String>]) {
    oldTables = items.values.count { $0.contains("ZMS_" + column) }
    newTables = items.values.count { $0.contains("Z" + column) }
  }

  /// Whether rows have versions in an attribute of each spelling.
  ///
  /// An app may call one of its own `version`, so that only what servers give counts there: eight
  /// bytes as base64.
  private static func haveVersionsOfBoth(
    _ items: [String: Set<String>], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    for (column, form) in [("ZMS_VERSION", "?*"), ("ZVERSION", "???????????=")] {
      var isFound = false
      for (table, names) in items where !isFound && names.contains(column) {
        isFound =
          try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM \(quoted(table)) WHERE \(column) GLOB '\(form)')") != 0
      }
      guard isFound else { return false }
    }
    return true
  }

  /// The tables of the entities that operations and tokens name.
  private static func namedTables(
    of connection: borrowing Connection, _ columns: [String: Set<String>]
  ) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    for table in [IOSNames.operationsTable, IOSNames.configurationTable] {
      guard columns[table]?.contains("ZTABLE") ?? false else { continue }
      var statement = try connection.prepare("SELECT DISTINCT ZTABLE FROM \(quoted(table))")
      while try statement.step() {
        if let name = statement.strictText(at: 0) { names.insert("Z" + name.uppercased()) }
      }
    }
    return names
  }

  /// Whether an item in a payload has a value under a key.
  ///
  /// What another SDK left is among the oldest payloads or the newest, so that of a long queue both
  /// ends are enough where `isAtEnds` says so. Not every table has a row id to find them by.
  private static func payloads(
    of connection: borrowing Connection, _ columns: [String: Set<String>], haveKey key: String,
    _ isAtEnds: Bool
  ) throws(SQLiteError) -> Bool {
    for table in [IOSNames.operationsTable, IOSNames.errorsTable] {
      guard columns[table]?.contains("ZPROPERTIES") ?? false else { continue }
      var statement = try connection.prepare(
        Self.properties(
          of: table, containing: "\"\(key)\"",
          isAtEnds && columns[table]?.contains("Z_PK") == true))
      while try statement.step() {
        let payload = JSONPayload(untagged: statement.optionalRaw(at: 0))
        let items = ["item", "serverItem"]
        if items.contains(where: { payload.version(ofItem: $0, under: [key]) != nil }) {
          return true
        }
      }
    }
    return false
  }

  private static func errors(
    of connection: borrowing Connection, _ columns: [String: Set<String>], contain text: String
  ) throws(SQLiteError) -> Bool {
    guard columns[IOSNames.errorsTable]?.contains("ZPROPERTIES") ?? false else { return false }
    var statement = try connection.prepare(
      Self.properties(of: IOSNames.errorsTable, containing: text))
    return try statement.step()
  }

  private static func properties(
    of table: String, containing text: String, _ isAtEnds: Bool = false
  ) -> String {
    let table = quoted(table)
    let ends = """
      (SELECT * FROM (SELECT ZPROPERTIES FROM \(table) ORDER BY Z_PK LIMIT 1000)
      UNION ALL
      SELECT * FROM (SELECT ZPROPERTIES FROM \(table) ORDER BY Z_PK DESC LIMIT 1000))
      """
    return """
      SELECT ZPROPERTIES FROM \(isAtEnds ? ends : table)
      WHERE instr(CAST(ZPROPERTIES AS TEXT), \(quotedLiteral(text))) > 0
      """
  }
}
