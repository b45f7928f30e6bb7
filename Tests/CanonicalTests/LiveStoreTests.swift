import Bytes
import Foundation
import Records
import TestSupport
import Testing

@testable import Canonical

/// A store that is opened to be changed stays as it is until it is, and is one file in the end.
struct LiveStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  /// What stands before a store is opened: nothing special, the log of a process that was killed, or
  /// only the header of a store that has one.
  enum State: String, CaseIterable {
    case closed, killed
    case headerAlone = "header-alone"
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("items.rehome")
    try makeStore(
      at: path,
      tables: [Table(name: "T", columns: [Column(name: "id", type: .text, role: .id)])])
  }

  private func bring(into state: State) throws {
    guard state != .closed else { return }
    _ = try Python.run(
      """
      import os, shutil, sqlite3, sys
      path, state = sys.argv[1:]
      db = sqlite3.connect(path)
      db.execute('PRAGMA journal_mode = WAL')
      db.execute("INSERT INTO rehome_meta VALUES ('left', 'here')")
      db.commit()
      if state == 'killed':
          for end in '', '-wal': shutil.copy(path + end, path + end + '.kept')
      db.close()
      if state == 'killed':
          for end in '', '-wal': os.replace(path + end + '.kept', path + end)
      """, arguments: [path, state.rawValue])
  }

  private func contents() throws -> [String: Data] {
    try Dictionary(
      uniqueKeysWithValues: folder.names.map {
        ($0, try Data(contentsOf: URL(filePath: folder.path($0))))
      })
  }

  /// Both bytes of the header that tell of a log: 1 for none.
  private func versions() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path))[18..<20])
  }

  @Test(arguments: State.allCases) func openingChangesNothing(_ state: State) throws {
    try bring(into: state)
    let before = try contents()
    #expect((before.count == 2) == (state == .killed))
    do {
      let store = try LiveStore(at: path)
      #expect(try store.fact("left") == (state == .closed ? nil : "here"))
      let error = #expect(throws: StoreError.self) { _ = try LiveStore(at: path) }
      #expect(error?.kind == .temporary)
    }
    #expect(try contents() == before)
  }

  @Test(arguments: State.allCases) func changesEndInOneFile(_ state: State) throws {
    try bring(into: state)
    let store = try LiveStore(at: path)
    try store.transaction { () throws(StoreError) in try store.setFact("a", to: "b") }
    #expect(folder.names == ["items.rehome", "items.rehome-wal"])
    try store.close()
    #expect(folder.names == ["items.rehome"])
    #expect(try versions() == [1, 1])
  }

  /// A header that tells of a log without one would look as if changes were missing.
  @Test(arguments: State.allCases) func changesOfAStoreThatIsNotClosedDoSo(_ state: State) throws {
    try bring(into: state)
    do {
      let store = try LiveStore(at: path)
      try store.transaction { () throws(StoreError) in try store.setFact("a", to: "b") }
    }
    #expect(folder.names == ["items.rehome"])
    #expect(try versions() == [1, 1])
    #expect(try LiveStore(at: path).fact("a") == "b")
  }

  @Test(arguments: State.allCases) func marksDoSo(_ state: State) throws {
    try bring(into: state)
    try CanonicalMarks.add(OperationMark(.drop, at: .epoch), to: [1], inStoreAt: path)
    #expect(folder.names == ["items.rehome"])
    #expect(try versions() == [1, 1])
  }

  /// The catalogue may name columns that somebody has taken away.
  @Test func columnsComeBehindAllThatTheCatalogueNames() throws {
    let path = folder.path("wide.rehome")
    let columns = ["id", "a", "b", "c"].map { Column(name: $0, type: .text) }
    try makeStore(at: path, tables: [Table(name: "T", columns: columns)])
    _ = try Python.run(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])",
      arguments: [path, "ALTER TABLE T DROP COLUMN a; ALTER TABLE T DROP COLUMN b"])
    let table = Table(name: "T", columns: [columns[0], columns[3]])
    let store = try LiveStore(at: path)
    try store.transaction { () throws(StoreError) in
      try store.add(Column(name: "B", type: .real), to: table)
      try store.add(Column(name: "d", type: .text), to: table)
    }
    try store.close()
    let catalogue = try Python.run(
      "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT position, name, type "
        + "FROM rehome_column ORDER BY position'))", arguments: [path])
    #expect(
      String(decoding: catalogue, as: UTF8.self)
        == "(0, 'id', 'text') (1, 'a', 'text') (3, 'c', 'text') (4, 'B', 'real') (5, 'd', 'text')\n"
    )
  }
}
