import Bytes
import SQLite
import SQLiteFile

/// A table whose rows a module of the engine makes, as the schema describes it.
struct VirtualTable: Equatable {
  let name: String
  /// The module, in lower case.
  let module: String
  /// What stands between the brackets, each part by its tokens.
  let arguments: [[SQLTokens.Token]]

  /// All virtual tables of a database, in order of creation.
  static func all(
    in connection: borrowing Connection
  ) throws(SQLiteError) -> [VirtualTable] {
    var tables: [VirtualTable] = []
    var statement = try connection.prepare(
      "SELECT name, sql FROM sqlite_schema "
        + "WHERE \(SchemaKind.table.condition()) AND ifnull(rootpage, 0) = 0 ORDER BY rowid")
    while try statement.step() {
      guard statement.storageClass(at: 0) != .null, statement.storageClass(at: 1) != .null
      else { continue }
      tables.append(VirtualTable(name: statement.name(at: 0), sql: statement.name(at: 1)))
    }
    return tables
  }

  /// A table that was made by `CREATE VIRTUAL TABLE … USING module(…)`.
  init(name: String, sql: String) {
    self.name = name
    var tokens = SQLTokens(of: sql)
    var module = ""
    while let token = tokens.next() {
      guard case .word(let word) = token, asciiLowercased(word) == "using" else { continue }
      module = tokens.next()?.text ?? ""
      break
    }
    self.module = asciiLowercased(module)
    arguments = tokens.next() == .mark(UInt8(ascii: "(")) ? tokens.takeList() : []
  }

  /// The arguments that name columns; those with an equals sign behind the first word set something.
  var columnArguments: [[SQLTokens.Token]] {
    arguments.filter { $0.count < 2 || $0[1] != .mark(UInt8(ascii: "=")) }
  }

  /// What an argument sets an option to; nil where it is not there.
  func option(_ name: String) -> String? {
    for argument in arguments where argument.count > 1 && argument[1] == .mark(UInt8(ascii: "=")) {
      guard case .word(let word) = argument[0], asciiLowercased(word) == name else { continue }
      return argument.count > 2 ? argument[2].text ?? "" : ""
    }
    return nil
  }

  var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }
  /// Whether the module only shows what another table keeps.
  var keepsNothing: Bool { ["fts4aux", "fts5vocab", "fts3tokenize"].contains(module) }
  /// Whether the module keeps boxes of numbers.
  var isSpatial: Bool { ["rtree", "rtree_i32"].contains(module) }
}
