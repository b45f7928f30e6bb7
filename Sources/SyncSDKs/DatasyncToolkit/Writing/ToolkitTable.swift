import Records
import SQLite
import Tables

/// A table of an app's Entity Framework store, with what goes into it.
struct ToolkitTable: AppTable {
  let source: Table
  let name: String
  var columns: [ToolkitColumn]
  var leftOut: [(place: Int, name: String)] = []
  var key: String?
  var pageForm: PageForm?
  var rowNumberPlace: Int?

  /// References to rows without ids are numbers of rows, so rows keep theirs.
  var keyOffset: Int64 { 0 }
  var targets: [(name: String, place: Int?)] { columns.map { ($0.name, $0.place) } }

  var fallbacks: [Int: String] {
    Dictionary(
      uniqueKeysWithValues: columns.enumerated().compactMap { place, column in
        column.fallback.map { (place, $0) }
      })
  }

  /// The column of the item's id, if there is one.
  var id: ToolkitColumn? { columns.first { $0.role == .id } }
}

/// A column of such a table.
struct ToolkitColumn: Sendable {
  var name: String
  /// Its place among the cells of a row; nil where the source has no such column.
  var place: Int?
  /// What part it plays.
  var role: ColumnRole
  var type: LogicalType
  var form: ToolkitForm
  /// Whether nothing is written as 0: the property has no room for null.
  var isZeroWhenNull = false
  /// What the app itself puts in place of nothing, as SQL.
  var fallback: String?
}

extension ToolkitTable {
  /// The table that Entity Framework would make for one of the catalogue.
  ///
  /// An item that is synchronised has the system properties under the toolkit's names. The version
  /// and the time of the last change are there even if the source knows only another one, since the
  /// toolkit asks for both.
  init(making table: Table) {
    source = table
    name = table.name
    let isItem =
      table.index(of: .id) != nil && Self.systemNames.keys.contains { table.index(of: $0) != nil }
    columns = table.columns.enumerated().map { place, column in
      // The system column has its name in lower case, unless the app has one of that name itself.
      let system = isItem ? Self.systemNames[column.role] : nil
      let isSystem = system?.lowercased() == column.name.lowercased()
      return ToolkitColumn(
        name: isSystem ? system ?? column.name : column.name, place: place, role: column.role,
        type: column.type, form: ToolkitForm(column),
        isZeroWhenNull: isItem && column.role == .deleted)
    }
    if isItem { columns += lackingSystemColumns }
    key = Self.rowIDName(besides: columns.map(\.name))
    pageForm = madeForm
  }

  /// The columns that the toolkit asks for of each item, as far as there are none of their names.
  var lackingSystemColumns: [ToolkitColumn] {
    let taken = Set(columns.map { $0.name.lowercased() })
    let asked = [(ColumnRole.updatedAt, LogicalType.timestamp), (.version, .text)]
    return asked.compactMap { role, type in
      guard let name = Self.systemNames[role], !taken.contains(name.lowercased()) else {
        return nil
      }
      return ToolkitColumn(name: name, role: role, type: type, form: ToolkitForm(type))
    }
  }

  /// The form of a table that `creation` makes; nil where rows have no name for their number, or
  /// their ids are bytes.
  private var madeForm: PageForm? {
    let idPlace = columns.firstIndex { $0.role == .id }
    let isText = idPlace.map { columns[$0].form.declaredType == "TEXT" } ?? true
    // The other column that must have a value always has one, which a truth value shows.
    let areGiven = columns.allSatisfy { !$0.isZeroWhenNull || $0.form == .integer }
    guard key != nil, isText, areGiven, !columns.isEmpty else { return nil }
    return PageForm(kinds: columns.map(\.form.storage), idPlace: idPlace)
  }

  /// What the toolkit calls the columns that it keeps of each item beside the id.
  static let systemNames: [ColumnRole: String] = [
    .version: "Version", .updatedAt: "UpdatedAt", .deleted: "Deleted",
  ]

  /// A name of the row's number that no column hides.
  static func rowIDName(besides columns: [String]) -> String? {
    let names = Set(columns.map { $0.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
  }

  /// What makes the table, as a migration would spell it.
  var creation: String {
    var lines = columns.map { column in
      let isRequired = column.role == .id || column.isZeroWhenNull
      let key =
        column.role == .id ? " CONSTRAINT \(quoted("PK_" + name)) PRIMARY KEY" : ""
      return "    \(quoted(column.name)) \(column.form.declaredType)"
        + (isRequired ? " NOT NULL" : " NULL") + key
    }
    // A table needs a column, even if the source has none.
    if lines.isEmpty { lines = ["    \"Id\" TEXT NULL"] }
    return "CREATE TABLE \(quoted(name)) (\n\(lines.joined(separator: ",\n"))\n)"
  }
}

extension ToolkitTable {
  /// The property has no room for null, and the row is kept.
  func valueOfRejected(forColumn index: Int) -> BoundValue {
    columns[index].isZeroWhenNull ? .integer(0) : .null
  }

  func value(
    of cell: Cell, in row: ArraySlice<Cell>, forColumn index: Int, arena: Span<UInt8>,
    into bytes: inout [UInt8], _ losses: inout Losses
  ) -> BoundValue? {
    let column = columns[index]
    if cell.kind == .null, column.isZeroWhenNull {
      if column.place != nil {
        losses.add(
          .note, table: source.name, "nulls of \(source.name).\(column.name) that became false")
      }
      return .integer(0)
    }
    if cell.kind == .null, column.fallback != nil {
      losses.add(
        .note, table: source.name,
        "nulls of \(source.name).\(column.name) that became the app's default")
    }
    switch column.form.value(cell, arena: arena, into: &bytes) {
    case .taken(let value):
      if column.role == .id, case .text(let range) = value,
        !ToolkitNames.isValidID(bytes.span.extracting(range))
      {
        losses.add(
          .warning, table: source.name,
          "ids of \(source.name) that the toolkit does not accept when the app changes the item")
      }
      return value
    case .changed(let value):
      let name = "\(source.name).\(column.name)"
      if column.form.isDecimal {
        // The app cannot read a row with a number that is too large.
        losses.add(
          .warning, table: source.name,
          "numbers of \(name) that the app's type does not hold as they are")
      } else {
        losses.add(
          .note, table: source.name, "times of \(name) that are cut to 100 nanoseconds")
      }
      return value
    case .rejected: return nil
    }
  }
}
