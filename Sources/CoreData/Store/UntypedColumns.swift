import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// Decides by their values what columns hold whose type Core Data is not known to have: of stores
/// that something else has written to, and of models that are newer than this tool.
enum UntypedColumns {
  /// The form of a declared type, which counts where a column has no values, or as many of two kinds.
  static func form(ofDeclared type: String) -> (type: LogicalType, decoding: CellDecoding) {
    let form =
      Affinity(declaredType: type).form
      ?? (asciiLowercased(type).contains("blob") ? ColumnForm.binary : .text)
    return (form.type, form.decoding)
  }

  /// Gives columns that are undecided the form under which fewest values are rejected.
  static func decide(
    _ tables: inout [PlannedTable], in database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    for table in tables.indices {
      let undecided = tables[table].columns.indices.filter {
        tables[table].columns[$0].column.isUndecided
      }
      let census = try database.census(ofColumns: undecided, of: tables[table])
      for (place, census) in zip(undecided, census) {
        tables[table].columns[place].decide(by: census)
      }
    }
  }

  /// Tells of those of which nobody has told the type.
  static func findings(_ tables: [PlannedTable]) -> [Finding] {
    tables.flatMap { table in
      table.columns.filter { $0.typeSource == .values }.map { planned in
        let column = planned.column
        return Finding(
          "unknown-column-type", .note, table: table.name, column: column.name,
          message:
            "the type of \(table.name).\(column.name) is none that Core Data is known to have, "
            + "so its values are read as what most of them are, \(column.type.rawValue)")
      }
    }
  }
}

extension PlannedColumn {
  fileprivate mutating func decide(by census: ContentCensus) {
    let declared = ColumnForm(column.type, decoding)
    let form = census.form(declared: declared, whenEmpty: declared)
    column.type = form.type
    decoding = form.decoding
    column.isUndecided = census.isEmpty && form == .text
    if !census.isEmpty { typeSource = .values }
  }
}
