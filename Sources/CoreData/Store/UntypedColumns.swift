import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// Decides by their values what columns hold whose type Core Data is not known to have: of stores
/// that something else has written to, and of models that are newer than this tool.
struct UntypedColumns {
  /// What a person should know of those that cannot be read.
  private var unreadable: [Finding] = []

  /// The form of a declared type, which counts where a column has no values, or as many of two kinds.
  static func form(ofDeclared type: String) -> (type: LogicalType, decoding: CellDecoding) {
    let form =
      Affinity(declaredType: type).form
      ?? (asciiLowercased(type).contains("blob") ? ColumnForm.binary : .text)
    return (form.type, form.decoding)
  }

  /// Decides for columns that are undecided, which get the form under which fewest values are
  /// rejected; leaves out those that are computed by an expression that fails.
  init(
    deciding tables: inout [PlannedTable], in database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    for table in tables.indices {
      let undecided = tables[table].columns.indices.filter {
        tables[table].columns[$0].column.isUndecided
      }
      let census = try database.computableCensus(ofColumns: undecided, of: tables[table])
      for (place, census) in zip(undecided, census).reversed() {
        if let census {
          tables[table].columns[place].decide(by: census)
        } else {
          leaveOut(tables[table].columns.remove(at: place).column, of: tables[table].name)
        }
      }
    }
  }

  private mutating func leaveOut(_ column: Column, of table: String) {
    unreadable.append(
      Finding(
        "unknown-column-type", .warning, table: table, column: column.name,
        message: "\(table).\(column.name) is left out; computing it fails in some rows"))
  }

  /// Tells of those that cannot be read, and of those of which nobody has told the type.
  func findings(_ tables: [PlannedTable]) -> [Finding] {
    unreadable
      + tables.flatMap { table in
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

extension SourceDatabase {
  /// How many values of each class some columns have; nil for one that is computed by an expression
  /// that fails.
  borrowing func computableCensus(
    ofColumns places: [Int], of table: PlannedTable
  ) throws(SQLiteError) -> [ContentCensus?] {
    let all = try answer { () throws(SQLiteError) in
      try census(ofColumns: places, of: table)
    }
    if let all { return all }
    guard places.count > 1 else { return places.map { _ in nil } }
    var each: [ContentCensus?] = []
    for place in places { each += try computableCensus(ofColumns: [place], of: table) }
    return each
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
