package import Bytes

/// A table whose rows a module of the engine makes, as the schema describes it.
package struct VirtualTable: Equatable, Sendable {
  package let name: String
  /// The module, in lower case.
  package let module: String
  /// What stands between the brackets, each part by its tokens.
  package let arguments: [[SQLTokens.Token]]

  /// All virtual tables of a database, in order of creation.
  package static func all(
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
  package init(name: String, sql: String) {
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
  package var columnArguments: [[SQLTokens.Token]] {
    arguments.filter { $0.count < 2 || $0[1] != .mark(UInt8(ascii: "=")) }
  }

  /// What an argument sets an option to; nil where it is not there.
  ///
  /// To FTS3 all such arguments but one, which says how words are told apart, are columns.
  package func option(_ name: String) -> String? {
    guard module != "fts3" else { return nil }
    for argument in arguments where argument.count > 1 && argument[1] == .mark(UInt8(ascii: "=")) {
      guard case .word(let word) = argument[0], names(asciiLowercased(word), option: name)
      else { continue }
      return argument.count > 2 ? argument[2].text ?? "" : ""
    }
    return nil
  }

  /// Whether a word means an option; to FTS5 it need be no more than the beginning of the name.
  private func names(_ word: String, option name: String) -> Bool {
    guard module == "fts5" else { return word == name }
    return Self.optionsOfFTS5.first { $0.hasPrefix(word) } == name
  }

  /// In the order in which the engine looks for one that begins so.
  private static let optionsOfFTS5 = [
    "prefix", "tokenize", "content", "contentless_delete", "contentless_unindexed",
    "content_rowid", "columnsize", "locale", "detail",
  ]

  /// Whether the module keeps what it is given in the table whose name ends so.
  ///
  package func makes(insidesCalled ending: String) -> Bool {
    switch (module, ending) {
    case ("fts3", "docsize"): false
    case ("fts4", "docsize"): option("matchinfo").map(asciiLowercased) != "fts3"
    case ("fts5", "docsize"): option("columnsize") != "0"
    case ("fts4", "content"), ("fts5", "content"):
      option("content") == nil || keepsColumnsWithoutIndex
    default: true
    }
  }

  /// Whether the module keeps nothing but an index of texts, and beside it the columns that it has no
  /// index of.
  package var keepsColumnsWithoutIndex: Bool {
    option("content") == "" && option("contentless_unindexed") == "1"
      && columnArguments.contains { argument in
        argument.dropFirst().contains { asciiLowercased($0.text ?? "") == "unindexed" }
      }
  }

  package var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }
  /// Whether the module only shows what another table keeps.
  package var keepsNothing: Bool { ["fts4aux", "fts5vocab", "fts3tokenize"].contains(module) }
  /// Whether the module keeps boxes of numbers.
  package var isSpatial: Bool { ["rtree", "rtree_i32"].contains(module) }
}
