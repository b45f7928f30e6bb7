import Foundation
import TestSupport
import Testing

/// An input that asks for too much is told as that, with the flag that lets it pass.
struct LimitFlagTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// An input just above a limit.
  struct Excess: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let flag: String
    let refused: String
    let accepted: String
    /// Statements of Python that write it to `path`.
    let script: String
    var testDescription: String { "\(name) and \(flag)" }
  }

  private static let long = "'x' * 3_000_000"
  private static let excesses = [
    Excess(
      name: "a database", file: "a", flag: "--max-value-bytes", refused: "2M", accepted: "4M",
      script: """
        import sqlite3
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT)")
        db.execute("INSERT INTO a VALUES (1, ?)", (\(long),))
        db.commit()
        """),
    Excess(
      name: "CSV", file: "a.csv", flag: "--max-value-bytes", refused: "2M", accepted: "4M",
      script: "open(path, 'w').write('id,t\\n1,' + \(long) + '\\n')"),
    Excess(
      name: "packed NDJSON", file: "a.gz", flag: "--max-value-bytes", refused: "2M",
      accepted: "4M",
      script: """
        import gzip, json
        gzip.open(path, 'w').write(json.dumps({'id': 1, 't': \(long)}).encode() + b'\\n')
        """),
    Excess(
      name: "NDJSON", file: "a.ndjson", flag: "--max-depth", refused: "500", accepted: "2048",
      script: "open(path, 'w').write('{\"id\":1,\"t\":' + '[' * 1900 + ']' * 1900 + '}\\n')"),
    Excess(
      name: "CSV", file: "a.csv", flag: "--max-columns", refused: "200", accepted: "300",
      script: """
        row = lambda kind: ','.join(f'{kind}{n}' for n in range(300)) + '\\n'
        open(path, 'w').write(row('c') + row(''))
        """),
    Excess(
      name: "a database", file: "a", flag: "--max-memory", refused: "1K", accepted: "8G",
      script: """
        import sqlite3
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT)")
        db.executemany("INSERT INTO a VALUES (?, 'x')", [(n,) for n in range(20_000)])
        db.commit()
        """),
    Excess(
      name: "a file of a ZIP archive", file: "a.zip", flag: "--max-member-bytes", refused: "64K",
      accepted: "1M", script: packed(rows: "[('x' * 99_999,)]")),
    Excess(
      name: "a file of a ZIP archive", file: "a.zip", flag: "--max-ratio", refused: "200",
      accepted: "2000", script: packed(rows: "[('x' * (70 << 20),)]")),
    Excess(
      name: "a ZIP archive", file: "a.zip", flag: "--max-members", refused: "2", accepted: "3",
      script: packed(rows: "[]") + "; archive.writestr('a', ''); archive.writestr('b', '')"),
    Excess(
      name: "a ZIP archive", file: "a.zip", flag: "--max-nesting", refused: "1", accepted: "2",
      script: packed(rows: "[]") + "\n" + """
        archive.close()
        inner = open(path, 'rb').read()
        archive = zipfile.ZipFile(path, 'w')
        archive.writestr('inner.zip', inner)
        """),
  ]

  /// Statements that make `archive`, a ZIP with a database of some rows.
  private static func packed(rows: String) -> String {
    """
    import atexit, sqlite3, zipfile
    atexit.register(lambda: archive.close())
    db = sqlite3.connect(path + '.db')
    db.execute('CREATE TABLE a (t TEXT)')
    db.executemany('INSERT INTO a VALUES (?)', \(rows))
    db.commit()
    archive = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED)
    archive.write(path + '.db', 'q.db')
    """
  }

  @Test(arguments: excesses)
  func excessIsToldAsALimitAndCanBeAllowed(_ excess: Excess) async throws {
    let path = folder.path(excess.file)
    _ = try python("import sys; path = sys.argv[1]\n" + excess.script, path)
    let refused = await rehome("hash", excess.flag, excess.refused, path)
    #expect(refused.code == 65)
    #expect(refused.error.contains("raise the limit of "), "\(refused.error)")
    #expect(refused.error.contains("with \(excess.flag)"), "\(refused.error)")
    #expect(!refused.error.contains("damaged"))
    let accepted = await rehome("hash", excess.flag, excess.accepted, path)
    #expect(accepted.code == 0, "\(accepted.error)")
  }

  @Test func storeThatTakesTooLongIsALimitAndOthersAreStillRead() async throws {
    let slow = try AlteredStore.makeLarge(in: folder, rows: 200_000)
    let quick = Sample(name: "ios-2016").store()
    // On any machine the first takes more than a second, and the second less.
    let held = ["--pipe", "error", "--slow", "40"]
    let outcome = try await TerminalRun(["hash", "--max-seconds", "1", slow, quick], held)
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("takes longer than 1 s"), "\(outcome.error)")
    #expect(outcome.error.contains("--max-seconds"))
    #expect(outcome.output.hasSuffix("  \(quick)\n"))
    let convert = ["convert", "--max-seconds", "1", slow, "-o", folder.path("o")]
    #expect(try await TerminalRun(convert, held).code == 65)
    #expect(folder.names == ["store.sqlite"])
  }

  @Test(arguments: ["0", "-1", "many", "1T", "9999999999G", ""])
  func limitMustBeAPositiveNumber(text: String) async throws {
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("hash", "--max-value-bytes=\(text)", store)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--max-value-bytes"))
  }
}
