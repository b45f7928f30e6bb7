import Bytes
package import Records
package import SQLite
package import SQLiteFile

/// What a layout says about the columns of the app's tables.
package struct ColumnRules: Sendable {
  /// What declared types mean, by their lower-case words; others go by SQLite's affinity.
  var declared: [String: ColumnForm] = [:]
  /// The columns of the SDK; none where nothing is synchronised.
  package var system: [SystemColumn] = []
  /// The prefixes of system columns, the generation's own first.
  package var prefixes: [String] = [""]
  /// The lower-case columns that a synchronised table has at least; no others have system columns.
  package var marks: Set<String> = ["id"]
  /// Whether the values have a say where a declared type is clear, as nobody but the app made it.
  package var goesByContent = false
  /// Columns that are the SDK's only where their values are all that they would be, by the very name.
  package var perhaps: [SystemColumn] = []
  /// What tells items apart, where that is not a column `id`.
  package var identity = ItemIdentity.columnID
  /// Where the versions of items stand, where their rows have none.
  package var versions: VersionTable?
  /// Whether whole numbers and truth values may be stored as floating point numbers.
  var numbersAreReals = false
  var time = StoredTime(unit: .seconds, spelling: .lenient)

  /// Takes all its parts but `perhaps`.
  package init(
    declared: [String: ColumnForm] = [:], system: [SystemColumn] = [], prefixes: [String] = [""],
    marks: Set<String> = ["id"], goesByContent: Bool = false,
    identity: ItemIdentity = ItemIdentity.columnID, versions: VersionTable? = nil,
    numbersAreReals: Bool = false, time: StoredTime = StoredTime(unit: .seconds, spelling: .lenient)
  ) {
    self.declared = declared
    self.system = system
    self.prefixes = prefixes
    self.marks = marks
    self.goesByContent = goesByContent
    self.identity = identity
    self.versions = versions
    self.numbersAreReals = numbersAreReals
    self.time = time
  }

  func form(ofDeclared type: String) -> ColumnForm? {
    declared[asciiLowercased(type)] ?? Affinity(declaredType: type).form
  }

  /// Marks the parts of the columns, and gives system columns their one spelling and type.
  ///
  /// Where two spellings stand side by side, the generation's own gets the part. The other has the
  /// same type, but keeps the name that the SDK gave it. Those at the places of `others` only have
  /// such a name.
  func adapt(_ columns: inout [PlannedColumn], except others: Set<Int> = []) {
    var places: [ExactText: Int] = [:]
    for (place, column) in columns.enumerated() {
      places[ExactText(sqlName: column.column.sourceName)] = place
    }
    guard !system.isEmpty, marks.allSatisfy({ places[ExactText($0)] != nil }) else { return }
    if let id = places["id"] { columns[id].column.role = .id }
    for system in system {
      let found = prefixes.compactMap { places[ExactText(sqlName: $0 + system.name)] }
        .filter { !others.contains($0) }
      for place in found {
        columns[place].column.type = system.form.type
        columns[place].decoding = system.form.decoding
      }
      guard let chosen = found.first else { continue }
      columns[chosen].column.role = system.role
      let plain = places[ExactText(sqlName: system.name)]
      if plain == nil || plain == chosen { columns[chosen].column.name = system.name }
    }
  }

  /// The expressions of the version and of its older twin, the version's own first.
  func versionExpressions(_ columns: [PlannedColumn]) -> [String] {
    guard columns.contains(where: { $0.column.role == .version }) else { return [] }
    return prefixes.compactMap { prefix in
      let name = asciiLowercased(prefix + SystemColumn.versionName)
      return columns.first {
        asciiLowercased($0.column.sourceName) == name && $0.column.type == .text
      }?.expression
    }
  }

  /// Whether there are declared types for times, so that the SDK declares none as a text.
  var declaresTimes: Bool { declared.values.contains { $0.type == .timestamp } }

  /// The column of the SDK that has a name, with any prefix; nil for other names.
  func systemColumn(named name: String) -> SystemColumn? {
    let name = ExactText(sqlName: name)
    return system.first { system in
      prefixes.contains { ExactText(sqlName: $0 + system.name) == name }
    }
  }
}

/// What tells the items of a table apart.
package enum ItemIdentity: Sendable {
  /// The column `id`.
  case columnID
  /// The one column of the primary key; the column of this name, where the table has it.
  case primaryKey(unless: String)

  /// The place of that column in a table; nil where items are not told apart.
  package func place(in columns: [SchemaColumn]) -> Int? {
    guard case .primaryKey(let special) = self else { return nil }
    let keys = columns.indices.filter { columns[$0].keyPlace > 0 }
    guard keys.count == 1, let key = keys.first else { return nil }
    return columns[key].name == special || !columns.contains { $0.name == special } ? key : nil
  }
}

/// A bookkeeping table that holds the versions of the items of all tables.
package struct VersionTable: Sendable {
  /// The table.
  package let name: String
  /// Its column of versions.
  let column: String
  /// Whether the name of an item's table and a bar stand before the item's id.
  let isPrefixed: Bool

  /// Takes all its parts.
  package init(name: String, column: String, isPrefixed: Bool) {
    self.name = name
    self.column = column
    self.isPrefixed = isPrefixed
  }

  /// The column of versions that the rows of a table get, whose items a column tells apart.
  func column(ofItemsIn table: PlannedTable, toldApartBy key: String) -> PlannedColumn {
    let names = Set(table.columns.map { asciiLowercased($0.column.name) })
    let isFree = !names.contains(SystemColumn.versionName)
    let name = isFree ? SystemColumn.versionName : "_" + SystemColumn.versionName
    let item = "\(quoted(table.sourceTable)).\(quoted(key))"
    let prefix = quotedLiteral(table.sourceTable + "|")
    return PlannedColumn(
      column: Column(name: name, type: .text, role: .version), position: table.columns.count,
      expression: "(SELECT stored.\(quoted(column)) FROM \(quoted(self.name)) AS stored WHERE "
        + "stored.\"id\" = \(isPrefixed ? "\(prefix) || " : "")\(item) LIMIT 1)",
      decoding: .versionNumber)
  }
}

extension [PlannedTable] {
  /// Takes whole numbers and truth values also where they are floating point numbers.
  mutating func takeNumbersOfEitherClass() {
    for table in indices {
      for column in self[table].columns.indices {
        switch self[table].columns[column].decoding {
        case .integer: self[table].columns[column].decoding = .wholeNumber
        case .boolean: self[table].columns[column].decoding = .booleanNumber
        default: break
        }
      }
    }
  }
}

extension Affinity {
  /// The form that the affinity leaves no doubt about; nil where only the values tell.
  package var form: ColumnForm? {
    switch self {
    case .integer: .integer
    case .text: .text
    case .real: .real
    case .blob, .numeric: nil
    }
  }
}

/// One of the columns that a sync SDK keeps in the app's tables.
package struct SystemColumn: Sendable {
  /// The part that it plays.
  package let role: ColumnRole
  /// Its one name in the canonical store.
  package let name: String
  /// What its values mean and how the layout stores them.
  package let form: ColumnForm

  static let versionName = "version"

  /// Whether the column may be declared like this; where an app declares something else, it only
  /// gave a column of its own the name.
  func mayBe(_ declared: ColumnForm) -> Bool {
    switch form.type {
    case .timestamp: declared.type != .boolean && declared.type != .binary
    case .boolean: [.boolean, .integer, .real].contains(declared.type)
    // A count of changes is a version, too.
    case .text where form.decoding == .versionNumber: true
    default: ![.integer, .real, .boolean, .timestamp].contains(declared.type)
    }
  }

  /// The four columns, with times and versions in the layout's form.
  package static func all(time: StoredTime, version: ColumnForm = .text) -> [SystemColumn] {
    [
      SystemColumn(role: .version, name: versionName, form: version),
      SystemColumn(role: .createdAt, name: "createdAt", form: .time(time)),
      SystemColumn(role: .updatedAt, name: "updatedAt", form: .time(time)),
      SystemColumn(role: .deleted, name: "deleted", form: .boolean),
    ]
  }
}
