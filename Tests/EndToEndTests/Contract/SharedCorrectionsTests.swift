import Foundation
import TestSupport
import Testing

/// Of several stores each takes the corrections that are about it; of one they are all.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SharedCorrectionsTests {
  private let folder: TemporaryFolder
  /// A store with notes, and one with tags, too.
  private let (notes, tags): (String, String)
  private var output: String { folder.path("out.rehome") }

  init() throws {
    folder = try TemporaryFolder()
    notes = folder.path("notes.db")
    tags = folder.path("tags.db")
    _ = try python(
      """
      import sqlite3, sys
      for path in sys.argv[1:]:
          store = sqlite3.connect(path)
          store.execute('CREATE TABLE Note (id TEXT PRIMARY KEY, body TEXT)')
          store.execute('INSERT INTO Note VALUES (?, ?)', (path, 'x'))
          if path.endswith('tags.db'):
              store.execute('CREATE TABLE Tag (id TEXT PRIMARY KEY, code INTEGER)')
              store.execute("INSERT INTO Tag VALUES ('t', 7)")
          store.commit()
      """, notes, tags)
  }

  private func query(_ sql: String) throws -> String {
    try Devices.query(output, sql)
  }

  @Test func mergeTakesThemWhereTheyHold() async throws {
    let outcome = await rehome(
      "convert", "-q", notes, tags, "-o", output, "--type", "Tag.code=real", "--rename",
      "Tag=Label", "--rename", "Note=Text", "--rename", "Label.code=word")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try query("SELECT typeof(word), word FROM Label").contains("real"))
    #expect(try query("SELECT count(*) FROM Text").contains("2"))
  }

  /// Writes a plain file, or a store, with a table that has one row of the names of its columns.
  private func make(
    _ tables: [String: String], _ name: String, isPlain: Bool
  ) throws -> String {
    guard !isPlain else {
      let columns = tables[name] ?? ""
      return try folder.write("\(columns)\n\(columns)\n", to: "\(name).csv")
    }
    let path = folder.path("\(name).db")
    let statements = tables.map { table, columns in
      let row = columns.split(separator: ",").map { "'\($0)'" }.joined(separator: ", ")
      return "CREATE TABLE \(table) (\(columns)); INSERT INTO \(table) VALUES (\(row));"
    }
    try Devices.execute(path, statements.joined())
    return path
  }

  /// Of two names that are exchanged each store gives away those that it has.
  @Test(arguments: [false, true], [["a=b", "b=a"], ["b=a", "a=b"]])
  func tablesOfDifferentStoresExchangeNames(isPlain: Bool, names: [String]) async throws {
    let stores = try [("a", "ida,x"), ("b", "idb,y")].map {
      try make([$0.0: $0.1], $0.0, isPlain: isPlain)
    }
    let options = names.flatMap { ["--rename", $0] }
    let outcome = await rehome(["convert", "-q", "-o", output] + stores + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try query("SELECT idb, y FROM a") == "idb|y\n")
    #expect(try query("SELECT ida, x FROM b") == "ida|x\n")
  }

  @Test(arguments: [["a=b", "b=a"], ["b=a", "a=b"], ["a.x=y", "a.y=x"], ["a.y=x", "a.x=y"]])
  func storeThatHasOneOfTheNamesTakesTheOther(names: [String]) async throws {
    let both = try make(["a": "id,x,y", "b": "id,z"], "both", isPlain: false)
    let one = try make(["a": "id,x"], "one", isPlain: false)
    let options = names.flatMap { ["--rename", $0] }
    let outcome = await rehome(["convert", "-q", "-o", output, both, one] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    let table = names[0].contains(".") ? "a" : "b"
    let column = names[0].contains(".") ? "y" : "x"
    #expect(try query("SELECT count(\(column)) FROM \(table)") == "2\n")
  }

  @Test func pagesBecomeOneTable() async throws {
    let pages = try (1...3).map { try folder.write("id,n\n\($0),\($0)\n", to: "p\($0).csv") }
    let names = (1...3).flatMap { ["--rename", "p\($0)=T"] }
    for more in [[], ["--once"], ["--skip-unreadable"], ["-j", "1"]] {
      let outcome = await rehome(["convert", "-q", "-f", "-o", output] + more + pages + names)
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try query("SELECT count(*) FROM T").contains("3"))
    }
  }

  @Test(arguments: [["inspect"], ["audit"], ["hash"], ["find"], ["inspect", "--json"]])
  func roundsTakeThemWhereTheyHold(command: [String]) async throws {
    for options in [["--type", "Tag.code=real"], ["--rename", "Tag=Label"]] {
      let outcome = await rehome(command + [notes, tags] + options)
      #expect(outcome.code == 0, "\(command) \(options): \(outcome.error)")
      if command == ["inspect"], options[0] == "--rename" {
        #expect(outcome.text.contains("Label"), "\(outcome.text)")
      }
    }
  }

  @Test(arguments: [
    (["--type", "Tag.none=text"], "--type Tag.none=text: no store has such a column"),
    (["--rename", "None=Note"], "--rename None=Note: no store has such a table or column"),
  ])
  func whatNoStoreHasIsAMistake(options: [String], words: String) async throws {
    for command in ["inspect", "audit", "hash", "find"] {
      let outcome = await rehome([command, notes, tags] + options)
      #expect(outcome.code == 64 && outcome.error.contains(words), "\(command): \(outcome.error)")
      #expect(!outcome.error.contains("cannot be read"), "\(outcome.error)")
    }
    let merged = await rehome(["convert", notes, tags, "-o", output] + options)
    #expect(merged.code == 64 && merged.error.contains(words), "\(merged.error)")
    #expect(merged.error.contains(options[0] == "--type" ? "the columns of Tag are" : "Note, Tag"))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(arguments: [
    (["--type", "Tag.code"], "it must be TABLE.COLUMN=TYPE"),
    (["--type", "Tag.code=word"], "the types are"),
    (["--rename", "Tag"], "it must be TABLE=NAME"),
  ])
  func whatIsNoCorrectionIsAMistakeAtOnce(options: [String], words: String) async throws {
    for command in [["inspect"], ["convert", "-o", output, "--skip-unreadable"]] {
      let outcome = await rehome(command + [notes, tags] + options)
      #expect(outcome.code == 64 && outcome.error.contains(words), "\(outcome.error)")
      #expect(outcome.text.isEmpty)
    }
  }

  @Test func whatClashesInOneStoreNamesIt() async throws {
    let options = ["--rename", "Tag=Note"]
    let merged = await rehome(["convert", notes, tags, "-o", output] + options)
    #expect(merged.code == 64, "\(merged.error)")
    #expect(merged.error.contains("\(tags): --rename Tag=Note: the new name"), "\(merged.error)")
    let inspected = await rehome(["inspect", notes, tags] + options)
    #expect(inspected.code == 2 && inspected.error.contains(tags), "\(inspected.error)")
  }

  /// A store that cannot be read may have what the others lack.
  @Test func storeThatIsLeftOutMayHaveIt() async throws {
    let empty = try folder.write("", to: "empty.csv")
    for options in [["--null", "NA"], ["--rename", "empty=T"]] {
      let outcome = await rehome(
        ["convert", "-f", notes, empty, "--skip-unreadable", "-o", output] + options)
      #expect(outcome.code == 2, "\(outcome.error)")
      #expect(try query("SELECT count(*) FROM Note").contains("1"))
    }
  }

  @Test func oneStoreMustHaveThemAll() async throws {
    for command in [["inspect"], ["convert", "-o", output]] {
      let outcome = await rehome(command + [notes, "--type", "Tag.code=real"])
      #expect(outcome.code == 64)
      #expect(outcome.error.contains("the store has no column Tag.code"), "\(outcome.error)")
    }
  }

  @Test func bodyInABackupIsCalledAsTheRunCallsIt() async throws {
    try folder.makePlaces("backup('phone', [('Documents/q.db', whole(1))])")
    let place = folder.path("phone")
    let outcome = await rehome("inspect", place, "--type", "t.none=text")
    #expect(outcome.code == 64)
    #expect(
      outcome.error.contains("\(place)!AppDomain-a/Documents/q.db: --type t.none=text"),
      "\(outcome.error)")
  }

  @Test func modelThatDoesNotFitNamesTheStore() async throws {
    try folder.makeFolder("X.xcdatamodel")
    let model = try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Other"/></model>
      """, to: "X.xcdatamodel/contents")
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("inspect", notes, store, "--model", model)
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("\(store): --model \(model): no version"), "\(outcome.error)")
  }
}
