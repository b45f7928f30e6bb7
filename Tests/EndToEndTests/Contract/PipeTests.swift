import Foundation
import TestSupport
import Testing

/// Standard input and pipes in place of files, and standard output that somebody stops reading.
struct PipeTests {
  private let folder: TemporaryFolder
  private let store = Sample(name: "ios-2016").store()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a line of the shell in which `$0` is the tool, `$1` a store and `$2` a folder.
  private func shell(_ line: String) throws -> Outcome {
    let temporary = try folder.makeFolder("temporary")
    let outcome = try Program.bash.run(
      ["-o", "pipefail", "-c", line, Project.executable.path, store, folder.path],
      variables: ["TMPDIR": temporary])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty, "\(line)")
    return outcome
  }

  @Test(arguments: [
    #""$0" export "$1" --to json | "$0" seed - -o "$2/s""#,
    #""$0" export "$1" --to xml | "$0" seed /dev/stdin -o "$2/s""#,
    #""$0" seed <("$0" export "$1" --to json) -o "$2/s""#,
    #""$0" convert - -o "$2/s" <"$1""#,
    #"cat "$1" | "$0" convert - -o "$2/s""#,
    #""$0" export - --to json <"$1" | gzip | "$0" seed - -o "$2/s""#,
  ])
  func storesComeThroughPipes(line: String) throws {
    let outcome = try shell(line)
    #expect(outcome.code == 0, "\(outcome.error)")
    let same = try shell(#""$0" verify "$1" "$2/s""#)
    #expect(same.code == 0, "\(same.text)")
  }

  /// What comes through a pipe is as large, and the same, as the file.
  @Test(arguments: [#"find --json - <"$1""#, #"find --json <(cat "$1")"#])
  func bytesOfPipesAreKnown(line: String) throws {
    let outcome = try shell(#""$0" "# + line)
    let report = try outcome.json()
    let data = try Data(contentsOf: URL(filePath: store))
    #expect(report["bytes"] as? Int == data.count)
    let hash = try python(
      "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())",
      store)
    #expect((report["sha256"] as? String).map { $0 + "\n" } == hash)
  }

  @Test(arguments: [
    ("inspect -", #"stdin"#), ("hash -", "  -\n"), ("audit -", "stdin"), ("ops list -", "TodoItem"),
    ("export - --to ndjson --table Visit", "_pk"), ("verify - \"$1\"", "equal"),
    ("verify \"$1\" /dev/stdin", "equal"),
    ("replay - --to https://a.example --dry-run", "insert TodoItem"),
    ("inspect --json /dev/fd/0", #""stdin""#),
  ])
  func everyCommandReadsStandardInput(command: String, said: String) throws {
    for source in [#""$0" \#(command) <"$1""#, #"cat "$1" | "$0" \#(command)"#] {
      let outcome = try shell(source)
      #expect([0, 2].contains(outcome.code), "\(outcome.error)")
      #expect(outcome.text.contains(said), "\(outcome.text)")
    }
  }

  @Test func plainRowsFromAPipeAreATableOfTheNameThatIsSaid() throws {
    for (name, options) in [("rows", ""), ("Item", "--table-name Item")] {
      for text in [#"a,b\n1,x\n"#, #"{\"a\":1,\"b\":\"x\"}\n"#, #"[{\"a\":1,\"b\":\"x\"}]"#] {
        let line = #"printf "\#(text)" | "$0" seed - \#(options) -fo "$2/s""#
        #expect(try shell(line).code == 0)
        let rows = try python(
          """
          import sqlite3, sys
          print(sqlite3.connect(sys.argv[1]).execute('SELECT * FROM \(name)').fetchall())
          """, folder.path("s"))
        #expect(rows == "[(1, 1, 'x')]\n")
      }
    }
  }

  @Test func severalPipesAreSeveralInputs() throws {
    let line = #"""
      printf 'a\n1\n' >"$2/One.csv"
      "$0" seed "$2/One.csv" <(printf 'b,c\n2,3\n') --table-name Two -o "$2/s"
      """#
    #expect(try shell(line).code == 0)
    let tables = try python(
      """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute('SELECT name FROM rehome_table').fetchall())
      """, folder.path("s"))
    #expect(tables == "[('One',), ('Two',)]\n")
  }

  @Test func standardInputIsReadOnce() throws {
    let outcome = try shell(#""$0" verify - /dev/stdin <"$1""#)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("standard input can be read only once"))
  }

  /// Where an option reads it, or a line of a list names it, it is the same standard input.
  @Test(arguments: [
    #"printf '%s\n' - | "$0" hash --files-from -"#,
    #"printf '%s\n' "$1" | "$0" hash --files-from - -"#,
    #"printf '%s\n' /dev/stdin "$1" | "$0" inspect --files-from /dev/stdin"#,
    #""$0" replay - --to https://a.example --dry-run --header-file - <"$1""#,
  ])
  func whatAnOptionReadsIsNoInput(line: String) throws {
    let outcome = try shell(line)
    #expect([64, 2].contains(outcome.code), "\(outcome.error)")
    #expect(outcome.error.contains("standard input can be read only once"), "\(outcome.error)")
  }

  @Test func listMayNameStandardInput() throws {
    let list = try folder.write("-\n", to: "list")
    let line = #""$0" hash --files-from "\#(list)""#
    #expect(try shell(line + #" <"$1""#).text.hasSuffix("  -\n"))
    let empty = try shell(line + " </dev/null")
    #expect(empty.code == 65 && empty.error.hasPrefix("rehome: -: "), "\(empty.error)")
  }

  @Test func closedStreamIsToldAsOne() throws {
    for _ in 0..<5 {
      let input = try shell(#"timeout 300 "$0" inspect - <&-"#)
      #expect(input.code == 74 && input.error.contains("cannot read it: it is closed"))
      let output = try shell(#""$0" --version >&-"#)
      #expect(output.code == 74)
      #expect(output.error == "rehome: standard output: cannot write it: it is closed\n")
    }
    #expect(try shell(#""$0" convert "$1" -o "$2/s" <&- >&- 2>&-"#).code == 0)
    #expect(try shell(#""$0" verify -q "$1" "$2/s""#).code == 0)
  }

  @Test func troubleWithAPipeNamesWhatWasGiven() throws {
    let outcome = try shell(#"printf 'a,b\n1\n2,3\n' | "$0" seed - --from csv -o "$2/s""#)
    #expect(outcome.code == 65)
    #expect(outcome.error.hasPrefix("rehome: -: line 2: the record has 1 field,"))
    let prose = try shell(#"echo hello | "$0" inspect -"#)
    #expect(prose.code == 65)
    #expect(prose.error.hasPrefix("rehome: -: not a SQLite database"), "\(prose.error)")
    #expect(try shell(#""$0" hash - </dev/null"#).code == 65)
    let large = try shell(#"head -c 100000 /dev/zero | "$0" hash - --max-pipe-bytes 64K"#)
    #expect(large.code == 65)
    #expect(large.error.contains("--max-pipe-bytes"))
  }

  @Test func missingPlaceForTheCopyIsNoMissingInput() throws {
    let outcome = try shell(#"TMPDIR=/nonexistent "$0" inspect - <"$1""#)
    #expect(outcome.code == 74)
    #expect(outcome.error.contains("/nonexistent: cannot make a folder in it"))
    #expect(outcome.error.contains("set TMPDIR to a folder"))
  }

  @Test(arguments: [
    #""$0" convert "$1" -o -"#, #""$0" seed "$1" -o -"#,
    #""$0" export "$1" --to ndjson --table Visit --report -"#,
    #""$0" replay "$1" --to https://a.example --dry-run --journal -"#,
  ])
  func noFileIsCalledByTheSignOfStandardOutput(line: String) throws {
    let outcome = try shell(#"cd "$2"; "# + line)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("- is standard output"))
    #expect(!folder.names.contains("-"))
  }

  @Test func exportToItsSignIsStandardOutput() throws {
    let outcome = try shell(#"cd "$2"; "$0" export "$1" --to ndjson --table Visit -o -"#)
    #expect(outcome.output == (try Sample(name: "ios-2016").expected("tables/Visit.ndjson")))
    #expect(!folder.names.contains("-"))
  }

  @Test func whoStopsReadingEndsTheRunQuietly() throws {
    let large = try AlteredStore.makeLarge(in: folder, rows: 20_000)
    for command in ["export '\(large)' --to ndjson", "export '\(large)' --to xml", "help"] {
      let outcome = try shell(#""$0" \#(command == "help" ? "--help" : command) | head -n 1"#)
      #expect(outcome.code == 0)
      #expect(outcome.error == "")
    }
  }

  @Test func waitingForAPipeCanBeStopped() throws {
    let line = #"mkfifo "$2/p"; exec 3<>"$2/p"; timeout --foreground -s INT 3 "$0" hash - <&3"#
    let outcome = try shell(line + #"; echo "$?""#)
    #expect(outcome.text == "124\n")
    #expect(outcome.error.contains("stopped by a signal"))
  }
}
