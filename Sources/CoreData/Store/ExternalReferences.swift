import Bytes
import Records
import SQLite
import Tables

/// The files beside a store that its rows name.
struct ExternalReferences {
  /// The names of files that are there, each once.
  private(set) var present: [String] = []
  /// How many rows of each table and column name a file that is not there.
  private(set) var missing: [Place: Int] = [:]

  /// A column of a table, by their canonical names.
  struct Place: Hashable {
    let table: String
    let column: String
  }

  /// Looks for the file of every row that names one.
  init(
    of tables: [PlannedTable], in folder: ExternalDataFolder, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var seen: Set<String> = []
    for table in tables {
      for column in table.columns where column.decoding.namesFiles {
        // Tag, 36 characters and a zero byte: all other values are in the row itself.
        var statement = try connection.prepare(
          table.selection(
            of: [column.expression], where: "length(\(column.expression)) = 38"))
        while try statement.step() {
          let value = statement.withBlob(at: 1) { TaggedBinary($0) }
          guard case .file(let name)? = value else { continue }
          if folder.contains(name) {
            if seen.insert(name).inserted { present.append(name) }
          } else {
            missing[Place(table: table.name, column: column.column.name), default: 0] += 1
          }
        }
      }
    }
  }
}

extension ExternalReferences {
  /// How many files are there and how many are not, for a person.
  var facts: [SourceDescription.Fact] {
    let lost = missing.values.reduce(0, +)
    guard !present.isEmpty || lost > 0 else { return [] }
    return [
      .init("externalData", "\(present.count.counting("file", "files")) present, \(lost) missing")
    ]
  }

  /// A finding for each column that has lost files.
  var findings: [Finding] {
    missing.sorted { ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column) }
      .map { place, count in
        Finding(
          "external-data-missing", .error, table: place.table,
          message: count.counting("value", "values") + " of \(place.table).\(place.column) "
            + (count == 1 ? "is in a file that is not " : "are in files that are not ")
            + "beside the store; copy its hidden _SUPPORT folder, too")
      }
  }
}
