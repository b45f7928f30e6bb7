import Pages
import Records

/// What a layout says about the columns of the app's tables.
struct ColumnRules: Sendable {
  /// What declared types mean, by their lower-case words; others go by SQLite's affinity.
  var declared: [String: ColumnForm] = [:]
  /// The columns of the SDK; none where nothing is synchronised.
  var system: [SystemColumn] = []
  /// The prefixes of system columns, the generation's own first.
  var prefixes: [String] = [""]
  /// The lower-case columns that a synchronised table has at least; no others have system columns.
  var marks: Set<String> = ["id"]
  /// Whether the values have a say where a declared type is clear, as nobody but the app made it.
  var goesByContent = false
  /// The form of a column that a person says holds times.
  var time = StoredTime(unit: .seconds, spelling: .lenient)

  /// The form that a declared type alone gives.
  func form(ofDeclared type: String) -> ColumnForm? {
    declared[asciiLowercased(type)] ?? Affinity(declaredType: type).form
  }

  /// Marks the parts of the columns, and gives system columns their one spelling and type.
  ///
  /// Where two spellings stand side by side, the generation's own gets the part. The other has the
  /// same type, but keeps the name that the SDK gave it.
  func adapt(_ columns: inout [PlannedColumn]) {
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() {
      places[asciiLowercased(column.column.sourceName)] = place
    }
    guard !system.isEmpty, marks.allSatisfy({ places[$0] != nil }) else { return }
    if let id = places["id"] { columns[id].column.role = .id }
    for system in system {
      let found = prefixes.compactMap { places[asciiLowercased($0 + system.name)] }
      for place in found {
        columns[place].column.type = system.form.type
        columns[place].decoding = system.form.decoding
      }
      guard let chosen = found.first else { continue }
      columns[chosen].column.role = system.role
      let plain = places[asciiLowercased(system.name)]
      if plain == nil || plain == chosen { columns[chosen].column.name = system.name }
    }
  }

  /// The expressions of the version and of its older twin, the version's own first.
  func versionExpressions(_ columns: [PlannedColumn]) -> [String] {
    guard columns.contains(where: { $0.column.role == .version }) else { return [] }
    return prefixes.compactMap { prefix in
      let name = asciiLowercased(prefix + SystemColumn.versionName)
      return columns.first { asciiLowercased($0.column.sourceName) == name }?.expression
    }
  }
}

extension Affinity {
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
