import Foundation
import TestSupport
import Testing

/// Exports that were cut, altered or mixed up are refused, each with a place, and nothing appears.
struct DamagedExportTests {
  /// A change of one place of a document.
  struct Change: Sendable, CustomStringConvertible {
    let format: String
    let old: String
    let new: String

    var description: String { "\(format): \(old) -> \(new)" }
  }

  private static let changes = [
    Change(format: "json", old: "\"count\":", new: "\"count\":1"),
    Change(format: "json", old: "\"format\":1", new: "\"format\":2"),
    Change(format: "json", old: "\"_pk\":", new: "\"_pk\":1,\"_pk\":"),
    Change(format: "json", old: "{\"rehome\":", new: "{\"rehome\":null,\"rehome\":"),
    Change(format: "json", old: "\"nullable\":", new: "\"nullable\":true,\"nullable\":"),
    Change(format: "json", old: "\"hash\":\"", new: "\"hash\":\"0"),
    Change(format: "json", old: "\"hash\":\"", new: "\"hsah\":\""),
    Change(format: "json", old: "21.5", new: "2.15e1"),
    Change(format: "json", old: "21.5", new: "21.50"),
    Change(format: "xml", old: "<v>21.5", new: "<v>021.5"),
    Change(format: "xml", old: "<v>21.5", new: "<v>21.500"),
    Change(format: "xml", old: "format=\"1\"", new: "format=\"2\""),
    Change(format: "xml", old: "pk=\"", new: "pk=\"0"),
    Change(format: "xml", old: "nullable=\"true\"", new: "nullable=\"1\""),
    Change(format: "xml", old: "nullable=\"true\"", new: "nullable=\"maybe\""),
    Change(format: "xml", old: "rows=\"", new: "rows=\"0"),
    Change(format: "xml", old: "bytes=\"", new: "bytes=\"+"),
    Change(format: "xml", old: "rows=\"", new: "rows=\"1"),
    Change(format: "xml", old: "<rehome", new: "<!DOCTYPE rehome><rehome"),
    Change(format: "xml", old: "<v>", new: "<v>&other;"),
    Change(format: "xml", old: "<column name=", new: "<column name=\"a\" name="),
    Change(format: "xml", old: "/>\n</table>", new: " hash=\"0\"/>\n</table>"),
    Change(format: "xml", old: "</row>", new: "<n/></row>"),
  ]

  /// As the page of row-refused says: rows are corrected in a canonical store or in plain rows.
  @Test func correctedRowsAreTakenWhereTheHelpSaysSo() async throws {
    let folder = try TemporaryFolder()
    let store = Sample(name: "ios-2016").store()
    let (ours, plain, export) = (
      folder.path("items.rehome"), folder.path("TodoItem.csv"), folder.path("items.json")
    )
    #expect(await rehome("convert", "-q", store, "-o", ours).code == 0)
    for (file, words) in [(plain, ["csv", "--table", "TodoItem"]), (export, ["json"])] {
      #expect(await rehome(["export", "-q", store, "-o", file, "--to"] + words).code == 0)
    }
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE TodoItem SET text = 'tea'")
      for name in sys.argv[2:]:
          text = open(name, newline='').read()
          assert 'Plan the party' in text
          open(name, 'w', newline='').write(text.replace('Plan the party', 'tea'))
      """, ours, plain, export)
    for (file, code) in [(ours, 0), (plain, 0), (export, 65)] as [(String, Int32)] {
      let outcome = await rehome("seed", "-q", file, "-o", file + ".new")
      #expect(outcome.code == code, "\(file): \(outcome.error)")
    }
    let page = await rehome("explain", "row-refused").text
    #expect(page.contains("canonical store") && page.contains("--to csv --table NAME"))
  }

  @Test(arguments: changes)
  func changedDocumentIsRefused(_ change: Change) async throws {
    let folder = try TemporaryFolder()
    let text = String(decoding: try await document(change.format, in: folder), as: UTF8.self)
    let range = try #require(text.range(of: change.old))
    let changed = text.replacingCharacters(in: range, with: change.new)
    try await expectRefusal(of: Array(changed.utf8), in: folder)
  }

  /// Editors put a byte order mark before a text, and lay it out anew.
  @Test(arguments: ["json", "xml"], [false, true])
  func markBeforeADocumentIsNoDamage(_ format: String, isLaidOut: Bool) async throws {
    let folder = try TemporaryFolder()
    var bytes = try await document(format, in: folder)
    let whole = try folder.write(bytes, to: "whole.\(format)")
    if isLaidOut, format == "json" {
      let script = "import json, sys; json.dump(json.load(open(sys.argv[1])), sys.stdout, indent=2)"
      bytes = Array(try python(script, whole).utf8)
    }
    let marked = try folder.write([0xEF, 0xBB, 0xBF] + bytes, to: "marked.\(format)")
    let outcome = await rehome("verify", whole, marked)
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test(arguments: ["json", "xml"])
  func documentIsRefusedWhereverItIsCut(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let bytes = try await document(format, in: folder)
    for cut in stride(from: 30, to: bytes.count - 2, by: bytes.count / 24) {
      try await expectRefusal(of: Array(bytes[..<cut]), in: folder)
    }
    try await expectRefusal(of: Array(bytes.dropLast(2)), in: folder)
  }

  @Test(arguments: ["json", "xml"])
  func junkBehindDocumentIsRefused(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let bytes = try await document(format, in: folder)
    try await expectRefusal(of: bytes + Array("x".utf8), in: folder)
    try await expectRefusal(of: bytes + bytes, in: folder)
  }

  @Test(arguments: ["csv", "ndjson", "json", "xml"], ["cut", "junk", "swap", "gone", "link"])
  func changedMemberIsRefused(_ format: String, _ change: String) async throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", try store, "--to", format, "-o", bundle).code == 0)
    let script = """
      import os, sys
      folder, ending, change = sys.argv[1:]
      first, second = (os.path.join(folder, n + "." + ending) for n in ("TodoItem", "Visit"))
      data = open(first, "rb").read()
      if change == "cut": open(first, "wb").write(data[:-3])
      if change == "junk": open(first, "ab").write(b"\\r")
      if change == "swap":
          other = open(second, "rb").read()
          open(second, "wb").write(data)
          open(first, "wb").write(other)
      if change == "gone": os.remove(first)
      if change == "link":
          os.rename(first, folder + ".moved")
          os.symlink(folder + ".moved", first)
      """
    _ = try python(script, bundle, format, change)
    try await expectRefusal(at: bundle, in: folder)
  }

  @Test(arguments: [
    ("file", "'../TodoItem.csv'"), ("file", "'/etc/passwd'"), ("file", "'manifest.json'"),
    ("count", "99"), ("bytes", "1"), ("sha256", "'0' * 64"), ("hash", "'0' * 64"),
    ("name", "'Other'"), ("columns", "[]"),
  ])
  func changedManifestIsRefused(_ member: String, _ value: String) async throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", try store, "--to", "csv", "-o", bundle).code == 0)
    let script = """
      import json, sys
      path = sys.argv[1] + "/manifest.json"
      manifest = json.load(open(path))
      manifest["tables"][0][sys.argv[2]] = eval(sys.argv[3])
      json.dump(manifest, open(path, "w"))
      """
    _ = try python(script, bundle, member, value)
    try await expectRefusal(at: bundle, in: folder)
  }

  @Test(arguments: [
    "a,b\r\n1\r\n", "a,b\r\n1,2,3\r\n", "a,b\r\n\"1,2\r\n", "a,b\r\n1,x\"y\r\n",
    "a,b\r\n\"1\"x,2\r\n", "a,b\r\n1,2\n", "a,b\r\n1\r,2\r\n", "a,b\n1,\0\n", "a,a\n1,2\n",
    "[{\"a\":1,\"a\":2}]", "[{\"a\":1}", "[{\"a\":1}]]", "{\"a\":1}\n\n}",
    "{\"a\":1} {\"a\":2}\n", "{\"a\":01}\n", "{\"a\":\"\\ud800\"}\n", "{\"a\":1}\n{\"a\":",
  ])
  func damagedPlainFileIsRefused(_ text: String) async throws {
    let folder = try TemporaryFolder()
    try await expectRefusal(of: Array(text.utf8), in: folder)
  }

  /// Mistakes that people make, with what is said about the place.
  @Test(arguments: [
    ("id,name\n1,a\n2,\"b\n3,c\n", "line 3, column 3: ", "(at byte 14)"),
    ("id,name\n1,a\n2,b\"c\n", "line 3, column 4: ", "(at byte 15)"),
    ("id,name\n1,\"a\"x\n", "line 2, column 6: ", "(at byte 13)"),
    ("id,name\n1,a,b\n", "line 2: the record has 3 fields", "(at byte 8)"),
    ("id,name\r\n1,a\r\n2\r\n", "line 3: the record has 1 field", "(at byte 14)"),
    ("\nid,id\n1,a\n", "the column id comes twice in line 2", "(at byte 1)"),
    ("[{\"id\":1},\n{\"id\":2,}]", "line 2, column 9: a key is missing", "(at byte 19)"),
    ("[{\"id\":1},\n{\"id\":NaN}]", "line 2, column 7: NaN is no value of JSON", "(at byte 17)"),
    ("[{\"id\":1},\n]", "line 2, column 1: a value is missing, as a comma stands", "(at byte 11)"),
    ("[{'id':1}]", "line 1, column 3: a key stands in single quotes", "(at byte 2)"),
    ("{\"id\":1}\n{\"id\":\"\\u12\"}\n", "line 2, column 8: ", "(at byte 16)"),
    ("{\"id\":1,\n\n\"id\":2}\n", "line 3, column 1: a member comes twice", "(at byte 10)"),
    ("<rows><row><id>1</id></row>\n<row><id>2</row></rows>", "mismatch", "(line 2, column 17)"),
    ("<!DOCTYPE rows>\n<rows><row><id>1</id></row></rows>", "not a SQLite", "type declaration"),
  ])
  func placeOfAMistakeIsTold(_ text: String, _ place: String, _ byte: String) async throws {
    let folder = try TemporaryFolder()
    let endings: [Character: String] = ["[": "json", "{": "ndjson", "<": "xml"]
    let ending = text.first.flatMap { endings[$0] } ?? "csv"
    let path = try folder.write(Array(text.utf8), to: "changed." + ending)
    let outcome = await rehome("seed", path, "-o", folder.path("seeded.rehome"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(place) && outcome.error.contains(byte), "\(outcome.error)")
  }

  @Test(arguments: ["csv", "ndjson", "json", "xml"])
  func nothingIsProvenByABundleWithDamagedRejects(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", try store, "--to", format, "-o", bundle).code == 0)
    let file = folder.path("bundle/rejects.\(format)")
    let bytes = try Data(contentsOf: URL(filePath: file))
    try (bytes + Data("x".utf8)).write(to: URL(filePath: file))
    for command in [["hash", bundle], ["verify", try store, bundle]] {
      let outcome = await rehome(command)
      #expect(outcome.code == 65, "\(command)")
      #expect(outcome.error.contains(file), "\(outcome.error)")
    }
  }

  /// Whatever is compared, and however: a part that does not count is read, too.
  @Test(arguments: ["csv", "ndjson", "json", "xml"])
  func nothingIsProvenByABundleOfWhichAFileIsCut(_ format: String) async throws {
    let folder = try TemporaryFolder()
    let (store, bundle) = (folder.path("store.rehome"), folder.path("bundle"))
    let source = try folder.copy(of: Sample(name: "ios-2016")) + "/qstodoitem.sqlite"
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE ZTODOITEM SET ZTEXT = x'ff'")
      """, source)
    #expect(await rehome("convert", "-q", source, "-o", store).code == 2)
    #expect(await rehome("export", "-q", store, "--to", format, "-o", bundle).code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: bundle)
      .filter { $0 != "manifest.json" }
    #expect(names.count == 6)
    for name in names {
      let file = URL(filePath: bundle + "/" + name)
      let bytes = try Data(contentsOf: file)
      try bytes.dropLast(3).write(to: file)
      for options in [[], ["--by-id"], ["--by-id", "--pending"]] {
        for stores in [[store, bundle], [bundle, store]] {
          let outcome = await rehome(["verify"] + options + stores)
          #expect(outcome.code == 65, "\(name) \(options) \(stores): \(outcome.text)")
          #expect(outcome.error.contains(file.path), "\(outcome.error)")
        }
      }
      try bytes.write(to: file)
    }
  }

  /// A place is the file's own: a mark counts, and of text that is not UTF-8 only the line is told.
  @Test(arguments: [
    (String.Encoding.utf8, "", "utf-8"), (.utf8, "\u{FEFF}", "utf-8"),
    (.utf16LittleEndian, "\u{FEFF}", "utf-16le"), (.utf16BigEndian, "\u{FEFF}", "utf-16be"),
    (.windowsCP1252, "", "windows-1252"), (.isoLatin1, "", "latin1"),
  ])
  func placeOfAMistakeIsThatOfTheFile(
    _ encoding: String.Encoding, _ mark: String, _ name: String
  ) async throws {
    let folder = try TemporaryFolder()
    let start = mark + "id,name\n1,é\n2,b"
    for (rest, hasColumn) in [("\"c\n", true), (",\"c\"\n", false)] {
      let text = try #require((start + rest).data(using: encoding))
      let path = try folder.write(text, to: "changed.csv")
      let outcome = await rehome(
        "seed", "-f", path, "--encoding", name, "-o", folder.path("seeded.rehome"))
      #expect(outcome.code == 65)
      let byte = try #require(text.firstIndex(of: hasColumn ? 0x22 : 0x32))
      let told =
        encoding != .utf8
        ? "line 3: " : hasColumn ? "line 3, column 4: " : "line 3: the record has 3 fields"
      #expect(outcome.error.contains(told), "\(outcome.error)")
      for place in ["(at byte \(byte))", "at byte"] {
        #expect(outcome.error.contains(place) == (encoding == .utf8), "\(outcome.error)")
      }
    }
  }

  @Test func placeInABundleForSpreadsheetsIsThatOfTheFile() async throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("bundle")
    let made = await rehome(
      "export", "-q", try store, "--to", "csv", "--for", "excel", "-o", bundle)
    #expect(made.code == 0, "\(made.error)")
    let file = URL(filePath: folder.path("bundle/Visit.csv"))
    var bytes = try Data(contentsOf: file)
    // The end of the header.
    let place = try #require(bytes.firstIndex(of: 0x0D))
    bytes.insert(contentsOf: "x\"".utf8, at: place)
    try bytes.write(to: file)
    let outcome = await rehome("seed", bundle, "-o", folder.path("seeded.rehome"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("(at byte \(place + 1))"), "\(outcome.error)")
  }

  private var store: String {
    get throws { try #require(Sample.all.first { $0.name == "ios-2016" }).store() }
  }

  private func document(_ format: String, in folder: TemporaryFolder) async throws -> [UInt8] {
    let path = folder.path("whole")
    #expect(
      await rehome("export", "-qf", try store, "--to", format, "-o", path + "." + format).code == 0)
    return [UInt8](try Data(contentsOf: URL(filePath: path + "." + format)))
  }

  private func expectRefusal(of bytes: [UInt8], in folder: TemporaryFolder) async throws {
    try await expectRefusal(at: try folder.write(bytes, to: "changed"), in: folder)
  }

  private func expectRefusal(at path: String, in folder: TemporaryFolder) async throws {
    let output = folder.path("seeded.rehome")
    let outcome = await rehome("seed", path, "-o", output)
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains(path))
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
