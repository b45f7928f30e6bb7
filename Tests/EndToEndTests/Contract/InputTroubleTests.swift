import Foundation
import TestSupport
import Testing

/// What is said, and with which exit code, when an input cannot be read.
struct InputTroubleTests {
  private func expectTrouble(
    _ code: Int32, _ message: String, inspecting path: String, hint: String = "rehome: "
  ) async {
    let folder = (path as NSString).deletingLastPathComponent
    for command in [
      ["inspect", path], ["convert", path, "-o", folder + "/out"],
      ["export", path, "--to", "ndjson"],
    ] {
      let outcome = await run(command)
      #expect(outcome.code == code, "\(command)")
      #expect(outcome.error.hasPrefix("rehome: \(path): \(message)"), "\(outcome.error)")
      #expect(outcome.error.contains(hint), "\(outcome.error)")
      #expect(outcome.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: folder + "/out"))
    }
  }

  private func run(_ command: [String]) async -> Outcome {
    command.count == 2
      ? await rehome(command[0], command[1])
      : await rehome(command[0], command[1], command[2], command[3])
  }

  @Test func proseIsNotAStore() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("Dear diary, today".utf8, to: "diary.sqlite")
    await expectTrouble(65, "not a SQLite database", inspecting: path)
  }

  @Test func storeOfALaterFormatIsRefused() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("later.rehome")
    let table = try folder.write("id,n\n1,2\n".utf8, to: "t.csv")
    #expect(await rehome("seed", "-q", table, "-o", path).code == 0)
    _ = try python(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 2')", path)
    await expectTrouble(
      65, "the store has format 2, and this rehome reads format 1", inspecting: path,
      hint: "a newer one")
  }

  /// The comma behind a salutation separates nothing.
  @Test(arguments: [
    "Dear Sir,\n\nThe app lost my notes.\n\nYours,\nBob\n", "Hi,\nhow are you?\nBye\n", "Hi,\n",
    "Dear Sir,\nthis is prose, with a comma.\nAnd more; lines\n",
    "Hello Bob,\nthanks for the report, we look at it.\n",
    "Hello Bob,\nthanks for the report, we look at it.\nBye\n",
  ])
  func letterIsNotAStore(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "letter.txt")
    await expectTrouble(65, "not a SQLite database but a text file", inspecting: path)
  }

  @Test(arguments: [
    ("Notes on <!DOCTYPE html>, <plist> and others", "a text file in which no rows are"),
    ("\u{FEFF}\n <!DOCTYPE rows><rows/>", "XML with a document type declaration"),
    ("\u{FEFF} <!doctype HTML><html></html>", "a page of the web"),
    (" \n<?xml version=\"1.0\"?><plist/>", "a property list"),
    (" \n\n", "a text file without a word"),
  ])
  func textIsNamedForWhatItIs(_ text: String, _ what: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "text.sqlite")
    await expectTrouble(65, "not a SQLite database but " + what, inspecting: path)
  }

  /// Who is told to take it for CSV would load its tags as cells.
  @Test(arguments: [
    "<?xml version=\"1.1\"?><d><row><v>1</v></row></d>",
    "<?xml version=\"1.0\"?><!DOCTYPE d SYSTEM \"d.dtd\"><d><row><v>1</v></row></d>",
  ])
  func xmlThatIsNotReadLeadsToTheReason(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "d.xml")
    await expectTrouble(65, "not a SQLite database", inspecting: path, hint: "--from xml")
    let told = await rehome("inspect", "--from", "xml", path)
    #expect(told.code == 65 && !told.error.contains("csv"), "\(told.error)")
  }

  @Test(arguments: ["Hello, world.\n", "One thing; another one\n", "a | b\n"])
  func lineOfProseIsNoTable(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "note")
    await expectTrouble(65, "not a SQLite database", inspecting: path)
    #expect(await rehome("inspect", "--from", "csv", path).code == 0)
    let named = try folder.write(text.utf8, to: "note.csv")
    #expect(await rehome("inspect", named).code == 0)
  }

  /// Nor where it has two of what may be separators; who calls it a table has to say which.
  @Test func lineOfProseIsNoTableWhateverIsInIt() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("Hello, world; bye.\n".utf8, to: "note")
    await expectTrouble(65, "not a SQLite database", inspecting: path)
    #expect(await rehome("inspect", "--from", "csv", path).code == 64)
  }

  @Test(arguments: ["id,text\n", "_pk, text\n", "id\ttext\n"])
  func headerAloneIsATable(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "Item")
    #expect(await rehome("inspect", path).code == 0)
  }

  @Test func manifestOfABundleNamesTheBundle() async throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("bundle")
    let store = Sample(name: "ios-2014").store()
    #expect(await rehome("export", "-q", store, "--to", "csv", "-o", bundle).code == 0)
    await expectTrouble(
      65, "it describes a bundle", inspecting: bundle + "/manifest.json",
      hint: "name the folder: \(bundle)\n")
  }

  @Test func listWithNULsIsToldWithItsOption() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("a\0b\0".utf8, to: "list")
    let outcome = await rehome("inspect", "--files-from", list)
    #expect(outcome.code == 64 && outcome.error.contains("give -0, too"), "\(outcome.error)")
  }

  @Test func emptyNameIsSeen() async throws {
    let outcome = await rehome("inspect", "")
    #expect(outcome.code == 66)
    #expect(outcome.error.hasPrefix("rehome: '': there is no such file"), "\(outcome.error)")
  }

  @Test func nameThatIsNoTextIsToldAsThat() throws {
    let folder = try TemporaryFolder()
    let line = #"cp "$1" "$2/a"$'\xff' && "$0" inspect "$2/a"$'\xff'"#
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path, Sample(name: "ios-2016").store(), folder.path])
    #expect(outcome.code == 66, "\(outcome.error)")
    #expect(outcome.error.contains("names that are not UTF-8 cannot be read"))
    // As the advice has it.
    let around = try Program.bash.run(
      ["-c", #""$0" hash "$1""#, Project.executable.path, folder.path])
    #expect(around.code == 0 && around.text.contains(#"!a\\xFF"#), "\(around.text)\(around.error)")
  }

  @Test func emptyFileIsNotAStore() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([], to: "empty.sqlite")
    await expectTrouble(65, "the file is empty", inspecting: path)
  }

  @Test func encryptedStoreIsToldFromOtherFiles() async throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<8192).map { UInt8(truncatingIfNeeded: ($0 &* 167) ^ ($0 >> 3)) }
    let path = try folder.write(bytes, to: "secret.sqlite")
    await expectTrouble(
      65, "not a database that can be read: its bytes look encrypted", inspecting: path,
      hint:
        "\n  try: decrypt it with the app's key first; for SQLCipher, sqlcipher_export() writes a plain one\n"
    )
  }

  @Test func truncatedStoreIsDamaged() async throws {
    let folder = try TemporaryFolder()
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: Project.path("samples/ios-2014/qstodoitem.sqlite")))
    let half = whole.count / 2
    let path = try folder.write(whole.prefix(half), to: "half.sqlite")
    await expectTrouble(
      65, "the file is cut off: \(half) of \(whole.count) bytes are here", inspecting: path,
      hint: "\n  try: copy it again")
  }

  @Test func missingStoreIsNamed() async throws {
    let folder = try TemporaryFolder()
    await expectTrouble(66, "there is no such file", inspecting: folder.path("nothing"))
  }

  @Test func folderIsNotAStore() async throws {
    let folder = try TemporaryFolder()
    await expectTrouble(65, "no store is in it", inspecting: try folder.makeFolder("folder"))
  }

  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func storeThatMayNotBeReadIsNotPermitted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("SQLite format 3\0".utf8, to: "locked.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    let outcome = try Stranger.run(["inspect", path])
    #expect(outcome.code == 77)
    #expect(
      outcome.error == """
        rehome: \(path): cannot open it: permission denied
          try: ask its owner, or copy it to where you may read it

        """)
  }

  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func storeThatMayNotBeWrittenIsNotPermitted() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("in/s.rehome")
    let place = try folder.makeFolder("in")
    let sample = Sample(name: "ios-2016").store()
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    let change = ["ops", "drop", store, "1"]
    func setMode(_ mode: Int, of path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try setMode(0o444, of: store)
    let file = try Stranger.run(change)
    #expect(file.code == 77)
    #expect(file.error.hasPrefix("rehome: \(store): "), "\(file.error)")
    #expect(file.error.contains("it may not be written to\n  try: see who may"), "\(file.error)")
    try setMode(0o666, of: store)
    try setMode(0o555, of: place)
    let closed = try Stranger.run(change)
    try setMode(0o755, of: place)
    #expect(closed.code == 77)
    #expect(closed.error.contains("nothing may be written into the folder"), "\(closed.error)")
  }

  @Test(arguments: ["table", "column", "operation"])
  func canonicalStoreThatLacksATableIsDamaged(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("s.rehome")
    let sample = Sample(name: "ios-2016").store()
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])"
    _ = try python(script, store, "DROP TABLE rehome_" + name)
    let outcome = await rehome("inspect", store)
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("rehome_" + name), "\(outcome.error)")
  }

  @Test func oneBadStoreDoesNotHideTheOthers() async throws {
    let sample = try #require(Sample.all.first)
    let folder = try TemporaryFolder()
    let outcome = await rehome("inspect", "--json", folder.path("nothing"), sample.store())
    #expect(outcome.code == 2)
    let stores = try outcome.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["error"] is [String: Any] } == [true, false])
    #expect(outcome.error.contains("there is no such file"))
  }
}
