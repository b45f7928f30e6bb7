import Bytes
import Records
import SQLite
import TestSupport
import Testing

@testable import Canonical

/// Items of a store that is changed in place keep their keys, and no other item gets them.
struct StoredItemsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let author = Table(
    name: "Author", columns: [Column(name: "id", type: .text, role: .id)])
  private let post = Table(
    name: "Post",
    columns: [
      Column(name: "id", type: .text, role: .id),
      Column(name: "author", type: .reference, role: .reference, target: "Author"),
    ])

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("items.rehome")
    try makeStore(at: path, layout: "azure-mobile-cordova", tables: [author, post])
  }

  private func text(_ id: String) -> RawValue { .text(Array(id.utf8)) }

  /// The keys of authors after some were added and removed in a run of its own.
  private func run(adding: [String] = [], removing: [String] = []) throws -> [Int64] {
    let store = try LiveStore(at: path)
    let items = StoredItems(in: store)
    try store.transaction { () throws(StoreError) in
      for id in adding { try items.insert([text(id)], into: author) }
      for id in removing {
        if let item = try items.find(id, in: author) { try items.remove(item, from: author) }
      }
      try items.forgetRemoved()
    }
    let keys = try store.connection.integers("SELECT _pk FROM Author ORDER BY _pk")
    try store.close()
    return keys
  }

  private func change(_ sql: String) throws {
    let store = try LiveStore(at: path)
    try store.connection.execute(sql)
    try store.close()
  }

  @Test func keyOfARemovedRowIsGivenToNoOther() throws {
    #expect(try run(adding: ["a", "b"]) == [1, 2])
    #expect(try run(removing: ["b"]) == [1])
    #expect(try run(adding: ["c"]) == [1, 3])
    #expect(try run(adding: ["d"], removing: ["c", "d"]) == [1])
    #expect(try run(adding: ["e"], removing: ["a"]) == [5])
  }

  @Test func keysAreOfOneTable() throws {
    _ = try run(adding: ["a", "b"], removing: ["a", "b"])
    let store = try LiveStore(at: path)
    try StoredItems(in: store).insert([text("p"), nil], into: post)
    #expect(try store.connection.integers("SELECT _pk FROM Post") == [1])
    try store.close()
  }

  private static let namedKeys: [(String, Int64)] = [
    ("INSERT INTO Post VALUES (1, 'p', 7)", 8),
    ("INSERT INTO Post VALUES (1, 'p', -7)", 1),
    ("INSERT INTO Post VALUES (1, 'p', \(Int64.max))", 1),
    ("INSERT INTO Author VALUES (\(Int64.max), 'a')", 1),
    ("INSERT INTO rehome_meta VALUES ('nextKey Author', '12')", 12),
    ("INSERT INTO rehome_meta VALUES ('nextKey Author', 'soon')", 1),
    (
      "INSERT INTO rehome_reject VALUES (1, 1, 'Author', 5, 'id', 'invalid-text', 'blob', x'ff')", 6
    ),
  ]

  @Test(arguments: Self.namedKeys)
  func keysThatTheStoreNamesAreNotGiven(_ sql: String, _ key: Int64) throws {
    try change(sql)
    #expect(try run(adding: ["new"]).contains(key))
  }

  @Test func afterTheGreatestKeyTheEngineFindsOne() throws {
    try change("INSERT INTO Author VALUES (\(Int64.max - 1), 'a'), (\(Int64.max), 'b')")
    #expect(try run(adding: ["c", "d"]).count == 4)
  }

  @Test func whatNamesARemovedRowForgetsIt() throws {
    _ = try run(adding: ["a", "b"])
    try change(
      """
      INSERT INTO rehome_operation (sequence, source, "table", itemId, kind, state, rowKey, rowTable)
      VALUES (1, 1, 'Author', 'a', 'update', 'pending', 1, NULL),
        (2, 1, 'Person', 'b', 'update', 'pending', 2, 'Author'),
        (3, 1, 'Post', 'p', 'update', 'pending', 2, NULL);
      INSERT INTO rehome_reject VALUES (1, 1, 'Author', 1, 'id', 'invalid-text', 'blob', x'ff'),
        (2, 1, 'Author', 2, 'id', 'invalid-text', 'blob', x'ff'),
        (3, 1, 'Post', 2, 'id', 'invalid-text', 'blob', x'ff')
      """)
    #expect(try run(removing: ["b"]) == [1])
    let store = try LiveStore(at: path)
    let keys = try store.connection.integers("SELECT ifnull(rowKey, 0) FROM rehome_operation")
    #expect(keys == [1, 0, 2])
    #expect(try store.connection.integers("SELECT id FROM rehome_reject") == [1, 3])
    try store.close()
  }
}

extension Connection {
  fileprivate func integers(_ sql: String) throws(SQLiteError) -> [Int64] {
    var statement = try prepare(sql)
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(at: 0)) }
    return numbers
  }
}
