import Bytes
package import Records
import SQLite

/// A table of the catalogue together with the way to read it.
package struct PlannedTable: Sendable {
  /// The table's name before it is claimed.
  package var name: String
  /// The name as the app spells it.
  package var sourceName: String
  /// The physical table.
  package var sourceTable: String
  /// The columns in the source's order.
  package var columns: [PlannedColumn]
  /// The number of the entity, where the rows are an entity's.
  package var entity: Int64?
  /// Which rows of the physical table belong here; nil when all do.
  package var condition: String?
  /// What follows `FROM`; the physical table by default.
  package var origin: String
  /// The expression of the key; nil when rows are numbered in key order.
  package var key: String?
  /// What the rows are ordered by; nil where the table's own order is the only one.
  var order: String?

  /// The index as which the table itself is stored, where its rows have no row ids.
  package var keyIndex: String?

  /// The expression of the document that some columns are members of; nil where none are.
  package var document: String?

  /// Takes all its parts.
  package init(
    name: String, sourceName: String, sourceTable: String, columns: [PlannedColumn],
    entity: Int64? = nil, condition: String? = nil, origin: String, key: String? = nil,
    order: String? = nil, keyIndex: String? = nil, document: String? = nil
  ) {
    self.name = name
    self.sourceName = sourceName
    self.sourceTable = sourceTable
    self.columns = columns
    self.entity = entity
    self.condition = condition
    self.origin = origin
    self.key = key
    self.order = order
    self.keyIndex = keyIndex
    self.document = document
  }

  /// The column that tells of each row of a table that entities share whose it is.
  package static let entityColumn = "Z_ENT"

  /// Which rows of a table that entities share are those of one of them.
  package static func condition(ofEntity number: Int64) -> String { "\(entityColumn) = \(number)" }

  /// The physical table after `FROM`, so that it is itself that is read.
  ///
  /// Any other index may have fewer rows, or other values, where a file is damaged. Of a table without
  /// row ids the engine reads one that has all columns, unless it is told which to take.
  package var physical: String { Self.physical(sourceTable, sortedAs: keyIndex) }

  /// The same of a table by its name, and the index as which it is stored, where it has no row ids.
  package static func physical(_ table: String, sortedAs keyIndex: String?) -> String {
    quoted(table) + (keyIndex.map { " INDEXED BY \(quoted($0))" } ?? " NOT INDEXED")
  }

  /// What follows `FROM` where rows are read.
  private var scan: String { keyIndex == nil ? origin : physical }

  /// The statement that gives the key and then every column.
  package var selection: String { selection(of: columns.map(\.expression)) }

  /// The statement that gives the key and then these expressions.
  package func selection(of expressions: [String], where extra: String? = nil) -> String {
    let list = ([key ?? "NULL"] + expressions).joined(separator: ", ")
    let sorting = order.map { " ORDER BY \($0)" } ?? ""
    return "SELECT \(list) FROM \(scan)\(filter(extra))\(sorting)"
  }

  /// The table with only some of its columns, in a new order.
  func narrowed(toColumnsAt places: [Int]) -> PlannedTable {
    var table = self
    table.columns = places.map { columns[$0] }
    return table
  }

  /// The statement that counts the rows, or those of them that fulfil a condition.
  package func counting(where extra: String? = nil) -> String {
    // All rows are counted in the smallest index there is, unless none may be used.
    let filter = filter(extra)
    return "SELECT count(*) FROM \(filter.isEmpty ? origin : scan)\(filter)"
  }

  /// The statement that tells whether any row fulfils a condition.
  package func asking(whether condition: String) -> String {
    "SELECT EXISTS (SELECT 1 FROM \(scan)\(filter("(\(condition))")))"
  }

  /// The statement that computes these expressions over all rows.
  package func aggregating(_ expressions: [String]) -> String {
    "SELECT \(expressions.joined(separator: ", ")) FROM \(scan)\(filter(nil))"
  }

  /// What follows `FROM` and the table where only rows that belong here are wanted, and of them
  /// perhaps those that fulfil a condition.
  func filter(_ extra: String?) -> String {
    let conditions = [condition, extra].compactMap(\.self).joined(separator: " AND ")
    return conditions.isEmpty ? "" : " WHERE \(conditions)"
  }
}

/// A column of the catalogue together with the way to read it.
package struct PlannedColumn: Sendable {
  /// The column as the catalogue will show it, before its name is claimed.
  package var column: Column
  /// Its place in the physical table, for the order of the catalogue.
  package var position: Int
  /// The SQL that gives its value.
  package var expression: String
  /// How the value becomes a cell.
  package var decoding: CellDecoding
  /// The physical table of the rows that a reference points to.
  package var targetTable: String?
  /// The SQL that gives the number of the entity that such a row is said to be of; nil where the key
  /// alone tells the row.
  package var targetEntity: String?
  /// For one side of a one-to-one relationship: the keys that only the other side knows, as a
  /// query of pairs.
  package var otherSide: String?
  /// What it is in the row's document; nil where the expression gives its value.
  package var member: DocumentMember?
  /// What tells its type.
  package var typeSource = TypeSource.store

  /// What tells the type of a column.
  package enum TypeSource: Sendable {
    case store
    /// What its values are.
    case values
    /// An index or a place beside it, as the keys of other rows have.
    case keyLike
    /// The name, which is that of an entity, to whose rows its values lead.
    case keyName
    case person
  }

  /// Takes all its parts.
  package init(
    column: Column, position: Int, expression: String, decoding: CellDecoding,
    targetTable: String? = nil, targetEntity: String? = nil, otherSide: String? = nil,
    member: DocumentMember? = nil
  ) {
    self.column = column
    self.position = position
    self.expression = expression
    self.decoding = decoding
    self.targetTable = targetTable
    self.targetEntity = targetEntity
    self.otherSide = otherSide
    self.member = member
  }

  fileprivate mutating func renameTargets(_ renamed: [ExactText: String]) {
    column.target = column.target.map { renamed[ExactText($0)] ?? $0 }
    if case .entityName(let names, let otherSide) = decoding {
      decoding = .entityName(
        names.mapValues { renamed[ExactText($0)] ?? $0 }, otherSide: otherSide)
    }
  }
}

extension Column {
  /// The column as the catalogue shows it, with names that are text.
  fileprivate var mended: Column {
    var column = self
    column.sourceName = sourceName.mended
    column.sourceColumn = sourceColumn.mended
    return column
  }
}

extension [PlannedTable] {
  /// Gives tables other names, by which references know them from then on.
  mutating func renameTables(to names: [String]) {
    let renamed = Dictionary(
      keepingFirst: zip(self, names).map { (ExactText($0.name), $1) }
    ).filter { !hasSameBytes($0.key.wrappedValue, $0.value) }
    for table in indices { self[table].name = names[table] }
    guard !renamed.isEmpty else { return }
    for table in indices {
      for column in self[table].columns.indices {
        self[table].columns[column].renameTargets(renamed)
      }
    }
  }

  /// The catalogue, with every name made unique and clear of reserved ones.
  package mutating func claimNames(origin: NameOrigin) -> Catalogue {
    renameTables(to: CatalogueNames.tables(map(\.name)))
    for table in indices {
      let names = CatalogueNames.columns(self[table].columns.map(\.column.name))
      for (column, name) in names.enumerated() { self[table].columns[column].column.name = name }
    }
    return Catalogue(
      tables: map { planned in
        Table(
          name: planned.name, sourceName: planned.sourceName.mended,
          sourceTable: planned.sourceTable.mended, columns: planned.columns.map(\.column.mended))
      }, nameOrigin: origin)
  }
}
