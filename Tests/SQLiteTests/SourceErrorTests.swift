import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

/// What cannot be opened says why, stays as it was, and leaves nothing behind.
struct SourceErrorTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let kind: FailureKind
    let words: String
    var hint: String?
  }

  static let cases = [
    Case(
      testDescription: "missing", script: "", kind: .missing, words: "there is no such file",
      hint: "check the spelling"),
    Case(
      testDescription: "empty", script: "open('store.sqlite', 'wb').close()", kind: .notAStore,
      words: "the file is empty", hint: "copy it again"),
    Case(
      testDescription: "empty with a WAL",
      script: SourceStores.rowsInWAL + "\nopen('store.sqlite', 'wb').close()", kind: .damaged,
      words: "the file is empty, but its side files are not", hint: "copy all of them again"),
    Case(
      testDescription: "zeros", script: "open('store.sqlite', 'wb').write(bytes(8192))",
      kind: .notAStore, words: "nothing but zeros", hint: "copy it again"),
    Case(
      testDescription: "log",
      script: SourceStores.rowsInWAL + "\nos.rename('store.sqlite-wal', 'store.sqlite')",
      kind: .notAStore, words: "the log of a store", hint: "without -wal"),
    Case(
      testDescription: "archive",
      script: """
        import zipfile
        with zipfile.ZipFile('store.sqlite', 'w') as file: file.writestr('a', 'b')
        """, kind: .notAStore, words: "a ZIP archive", hint: "unpack it"),
    Case(
      testDescription: "part of the header",
      script: SourceStores.clean + "\nos.truncate('store.sqlite', 60)", kind: .damaged,
      words: "cut off inside of its first page", hint: "copy it again"),
    Case(
      testDescription: "header that no engine takes",
      script: SourceStores.clean + """

        with open('store.sqlite', 'r+b') as file: file.seek(16), file.write(b'xx')
        """, kind: .damaged, words: "the first page is damaged", hint: "copy it again"),
    Case(
      testDescription: "version of the format that is not known",
      script: SourceStores.clean + """

        with open('store.sqlite', 'r+b') as file: file.seek(19), file.write(bytes([3]))
        """, kind: .unsupported, words: "of version 3 of SQLite's format", hint: "copy it again"),
    Case(
      testDescription: "version beside other damage",
      script: SourceStores.clean + """

        with open('store.sqlite', 'r+b') as file: file.seek(19), file.write(bytes([3, 0, 1]))
        """, kind: .notAStore, words: "file is not a database"),
    Case(
      testDescription: "prose",
      script: "open('store.sqlite', 'w').write('Once upon a time\\n' * 99)",
      kind: .notAStore, words: "not a SQLite database"),
    Case(
      testDescription: "one byte", script: "open('store.sqlite', 'w').write('S')",
      kind: .notAStore, words: "not a SQLite database"),
    Case(
      testDescription: "encrypted",
      script: "import random; open('store.sqlite', 'wb').write(random.Random(1).randbytes(8192))",
      kind: .unsupported, words: "look encrypted", hint: "decrypt"),
    Case(
      testDescription: "ForestDB",
      script: "open('store.sqlite', 'wb').write(bytes([0, 0, 0, 1]) + b'db.forest.7' + bytes(50))",
      kind: .unsupported, words: "a store of ForestDB", hint: "export its data"),
    Case(
      testDescription: "LevelDB",
      script: "open('store.sqlite', 'wb').write(b'MANIFEST-000004\\n')",
      kind: .unsupported, words: "LevelDB or RocksDB", hint: "export its data"),
    Case(
      testDescription: "manifest of LevelDB",
      script:
        "open('store.sqlite', 'wb').write(bytes(9) + b'leveldb.BytewiseComparator' + bytes(99))",
      kind: .unsupported, words: "LevelDB or RocksDB", hint: "export its data"),
    Case(
      testDescription: "cut off",
      script: SourceStores.clean + "\nos.truncate('store.sqlite', 5000)", kind: .damaged,
      words: "the file is cut off: 5000 of 8192 bytes", hint: "copy it again"),
    Case(
      testDescription: "header only",
      script: SourceStores.clean + "\nos.truncate('store.sqlite', 100)", kind: .damaged,
      words: "cut off", hint: "copy it again"),
    Case(
      testDescription: "folder", script: "os.mkdir('store.sqlite')", kind: .notAStore,
      words: "is a folder"),
    Case(
      testDescription: "pipe", script: "os.mkfifo('store.sqlite')", kind: .notAStore,
      words: "is not a regular file", hint: "standard input"),
    Case(
      testDescription: "link to nowhere", script: "os.symlink('nowhere', 'store.sqlite')",
      kind: .missing, words: "there is no such file"),
    Case(
      testDescription: "garbage after the header",
      script: SourceStores.clean + """

        with open('store.sqlite', 'r+b') as file: file.seek(100), file.write(b'x' * 3996)
        """, kind: .damaged, words: "malformed", hint: "copy"),
    Case(
      testDescription: "garbage with a WAL",
      script: SourceStores.rowsInWAL + """

        with open('store.sqlite', 'r+b') as file: file.seek(100), file.write(b'x' * 3996)
        """, kind: .damaged, words: "malformed", hint: "copy"),
  ]

  @Test(.mustEnd, arguments: cases)
  func sourceThatCannotBeOpenedSaysWhy(_ example: Case) throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(example.script)
    let before = try Fingerprint(of: folder.path)
    let error = try #require(
      #expect(throws: SQLiteError.self) {
        _ = try SourceDatabase(
          opening: folder.path("store.sqlite"), temporaryFolder: temporary.path)
      })
    #expect(error.kind == example.kind)
    #expect(error.message.contains(example.words), "\(error.message)")
    #expect(error.path == folder.path("store.sqlite"))
    if let hint = example.hint { #expect(error.hint?.contains(hint) == true, "\(error)") }
    #expect(try Fingerprint(of: folder.path) == before)
    #expect(temporary.names.isEmpty)
  }

  @Test func missingTemporaryFolderIsToldAndNothingIsLeft() throws {
    let folder = try TemporaryFolder()
    try folder.run(SourceStores.rowsInWAL)
    let before = try Fingerprint(of: folder.path)
    let error = try #require(
      #expect(throws: SQLiteError.self) {
        _ = try SourceDatabase(
          opening: folder.path("store.sqlite"), temporaryFolder: folder.path("none"))
      })
    #expect(error.path == folder.path("store.sqlite"))
    #expect(error.kind == .noSpace)
    #expect(error.message.hasPrefix("cannot make a folder in \(folder.path("none")): no such"))
    #expect(error.hint?.contains("TMPDIR") == true)
    #expect(try Fingerprint(of: folder.path) == before)
  }
}
