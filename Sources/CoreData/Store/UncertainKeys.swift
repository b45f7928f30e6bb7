import Records
import SQLite
import Tables

/// Numbers that are or may be the keys of rows of which the store does not say of what entity.
///
/// They stay as they are: an app may well want an index for its own numbers.
struct UncertainKeys {
  let resolution: SchemaResolution
  let corrections: Corrections

  /// Tells of those columns that have values and of which nobody has told the type; others may be
  /// whatever other stores say.
  func findings(
    _ tables: inout [PlannedTable], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in tables.indices {
      guard let number = tables[table].entity,
        let entity = resolution.entity(numbered: number)
      else { continue }
      let names = entity.properties.compactMap(\.uncertainKey)
      for place in tables[table].columns.indices {
        let planned = tables[table].columns[place]
        let name = planned.column.name
        guard names.contains(planned.column.sourceColumn), planned.column.role != .position,
          !corrections.tellsType(ofColumn: name, in: tables[table].name)
        else { continue }
        let question = tables[table].asking(whether: "\(planned.expression) IS NOT NULL")
        if try connection.integer(question) != 0 {
          findings.append(Self.finding(planned.column, of: tables[table].name))
        } else if planned.column.role == .value {
          tables[table].columns[place].column.isUndecided = true
        }
      }
    }
    return findings
  }

  private static func finding(_ column: Column, of table: String) -> Finding {
    let name = "\(table).\(column.name)"
    return Finding(
      "reference-without-target", .warning, table: table, column: column.name,
      message: column.role == .reference
        ? "\(name) refers to rows of an entity that the store does not tell; its numbers stay as "
          + "they are, also where stores are merged"
        : "\(name) may refer to rows of an entity that the store does not tell; it is taken for a "
          + "number of the app's, and stays as it is where stores are merged")
  }
}

extension ResolvedProperty {
  /// The column, where it is or may be a key whose target is not known.
  fileprivate var uncertainKey: String? {
    switch self {
    case .attribute(let attribute): attribute.mayBeKey ? attribute.column?.name : nil
    case .reference(let reference):
      reference.target == nil && reference.relationship == nil ? reference.keyColumn?.name : nil
    }
  }
}
