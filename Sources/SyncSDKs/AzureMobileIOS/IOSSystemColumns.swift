import Bytes
import CoreData
import Records
import Tables

/// Finds the columns of an item table that the SDK knows, and gives them their canonical form.
enum IOSSystemColumns {
  /// Marks the parts of the columns, and gives system columns their one spelling and type.
  ///
  /// Where old and new spellings stand side by side, the generation's own gets the part. An app's
  /// column that has the canonical name already keeps it; then the source's name stays.
  static func adapt(_ columns: inout [PlannedColumn], generation: IOSGeneration) {
    if let id = index(of: "id", type: .text, in: columns) { columns[id].column.role = .id }
    for system in IOSNames.systemRoles {
      let candidates = spellings(of: system.name, generation).compactMap { spelling in
        index(of: spelling, type: system.type, in: columns)
      }
      guard let chosen = candidates.first else { continue }
      columns[chosen].column.role = system.role
      let isTaken = columns.contains { $0.column.name.lowercased() == system.name.lowercased() }
      if !isTaken { columns[chosen].column.name = system.name }
    }
  }

  /// The columns of tables, by their names in capitals, without those of attributes that a model spells
  /// otherwise than the SDK, or that hold numbers in place of texts or times: it does not know them,
  /// although the columns are called alike.
  static func withoutOthers(
    _ columns: [String: Set<String>], of tables: [PlannedTable]
  ) -> [String: Set<String>] {
    var (own, others): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for table in tables {
      let place = table.sourceTable.uppercased()
      for (name, type) in table.columns.lazy.map({ ($0.column.sourceName, $0.column.type) }) {
        let column = "Z" + name.uppercased()
        guard let spelling = known[column] else { continue }
        let isNumber = type == .integer && spelling.type != .boolean
        if spelling.name == name, !isNumber {
          own[place, default: []].insert(column)
        } else {
          others[place, default: []].insert(column)
        }
      }
    }
    var columns = columns
    for (place, names) in others {
      columns[place]?.subtract(names.subtracting(own[place] ?? []))
    }
    return columns
  }

  /// The expressions of the version and of its older or newer twin, the version's own first.
  static func versionExpressions(_ columns: [PlannedColumn]) -> [String] {
    let names = ["version", IOSNames.oldPrefix + "version"]
    let own = columns.filter { $0.column.role == .version }
    let twins = columns.filter {
      $0.column.role == .value && $0.column.type == .text && names.contains($0.column.sourceName)
    }
    return (own + twins).map(\.expression)
  }

  /// What the SDK's own columns are called and mean where a store has no model; a column of an app that
  /// is declared otherwise is only called alike.
  static func spelling(entity: String, column: ActualColumn) -> KnownSpelling? {
    if IOSNames.systemEntities.contains(entity) { return bookkeeping[entity]?[column.name] }
    return known[column.name].flatMap { $0.fits(column) ? $0 : nil }
  }

  /// The same of its own entities, of which the app's columns are not.
  private static let bookkeeping = [
    IOSNames.operations: spellings([
      ("id", .integer64), ("itemId", .string), ("properties", .binary), ("table", .string),
      ("tableKind", .integer16),
    ]),
    IOSNames.errors: spellings([
      ("id", .string), ("operationId", .integer64), ("properties", .binary),
      ("tableKind", .integer16),
    ]),
    IOSNames.configuration: spellings([
      ("id", .string), ("key", .string), ("keyType", .integer64), ("table", .string),
      ("value", .string),
    ]),
  ]

  private static let known: [String: KnownSpelling] = {
    var names: [(String, AttributeType)] = [("id", .string)]
    for prefix in ["", IOSNames.oldPrefix] {
      names += [
        (prefix + "version", .string), (prefix + "createdAt", .date),
        (prefix + "updatedAt", .date), (prefix + "deleted", .boolean),
      ]
    }
    return spellings(names)
  }()

  /// Spellings by the columns of the attributes.
  private static func spellings(
    _ attributes: [(name: String, type: AttributeType)]
  ) -> [String: KnownSpelling] {
    let pairs = attributes.map { name, type in
      ("Z" + name.uppercased(), KnownSpelling(name: name, type: type))
    }
    return Dictionary(keepingFirst: pairs)
  }

  private static func spellings(of name: String, _ generation: IOSGeneration) -> [String] {
    let old = IOSNames.oldPrefix + name
    return generation == .g2 ? [name, old] : [old, name]
  }

  private static func index(
    of name: String, type: LogicalType, in columns: [PlannedColumn]
  ) -> Int? {
    columns.firstIndex { $0.column.sourceName == name && $0.column.type == type }
  }
}
