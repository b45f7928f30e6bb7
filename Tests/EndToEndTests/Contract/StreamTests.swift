import CommandLineKit
import Foundation
import TestSupport
import Testing

/// People read standard error, programs standard output, and neither finds the other's things.
struct StreamTests {
  private let store = Sample(name: "ios-2016").store()

  @Test func quietRunSaysNothing() async throws {
    let folder = try TemporaryFolder()
    let outcome = await rehome("convert", "-q", store, "-o", folder.path("out"))
    #expect(outcome.error == "")
    #expect(outcome.output.isEmpty)
  }

  @Test func loudRunNamesTheSourceAndItsLog() async throws {
    let folder = try TemporaryFolder()
    let withLog = Sample(name: "ios-2015").store()
    let outcome = await rehome("convert", "-v", withLog, "-o", folder.path("out"))
    #expect(outcome.error.contains("azure-mobile-ios, generation 2015"))
    #expect(outcome.error.contains("qstodoitem.sqlite-wal, on a private copy"))
    #expect(outcome.output.isEmpty)
  }

  @Test func reportsAreJSONAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let runs = [
      await rehome("inspect", "--json", "-v", store),
      await rehome("convert", "--json", "-v", store, "-o", folder.path("out")),
      await rehome(
        "export", "--json", "-v", store, "--to", "ndjson", "--table", "Visit", "-o",
        folder.path("rows")),
    ]
    for run in runs { #expect(!(try run.json().isEmpty)) }
  }

  @Test func reportOfAnExportGoesToItsFile() async throws {
    let folder = try TemporaryFolder()
    let report = folder.path("report.json")
    let outcome = await rehome(
      "export", store, "--to", "ndjson", "--table", "Visit", "--report", report)
    #expect(outcome.output == (try Sample(name: "ios-2016").expected("tables/Visit.ndjson")))
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: report)))
    #expect(
      differences(["tables": [["name": "Visit", "read": 3, "written": 3]]], json) == [])
  }

  @Test(
    arguments: [
      (["--color", "always"], [:], true), (["--color", "never"], [:], false), ([], [:], false),
      (["--color", "auto"], [:], false), (["--color", "auto"], ["NO_COLOR": "1"], false),
    ] as [([String], [String: String], Bool)])
  func pipesGetEscapeCodesOnlyWhenAskedFor(
    options: [String], variables: [String: String], isColored: Bool
  ) throws {
    let outcome = try Program.rehome.run(["inspect", store] + options, variables: variables)
    #expect(outcome.text.contains("\u{1B}") == isColored)
    #expect(!outcome.error.contains("\u{1B}"))
  }

  /// What has a format is the same on a screen of any width.
  @Test(arguments: [10, 40, 80])
  func linesOfHashesAreWholeOnAScreen(width: Int) async throws {
    let outcome = await rehome("hash", store, terminal: Self.screen(width))
    #expect(outcome.text == (await rehome("hash", store)).text)
    #expect(outcome.text.hasSuffix("  \(store)\n"))
  }

  @Test func pathsAreWholeOnAScreen() async throws {
    let folder = try TemporaryFolder()
    let place = try folder.makeFolder("stores of an  app that is   no more")
    for name in ["one store.sqlite", "one more.sqlite"] {
      try FileManager.default.copyItem(atPath: store, toPath: place + "/" + name)
    }
    let store = place + "/one store.sqlite"
    let output = place + "/a new one.rehome"
    let missing = place + "/not one of them"
    for (command, path) in [
      (["find", place], store), (["inspect", place], store), (["audit", "-v", place], store),
      (["audit", place], store),
      (["convert", store, "-o", output], output), (["convert", "-fv", store, "-o", output], store),
      (["inspect", missing], missing),
    ] {
      let outcome = await rehome(command, terminal: Self.screen(30))
      #expect((outcome.text + outcome.error).contains(path), "\(command): \(outcome.text)")
    }
  }

  /// Paragraphs are broken once: each line takes as many words as there is room for.
  @Test(arguments: [30, 60, 120])
  func explanationsFillTheScreen(width: Int) async throws {
    let outcome = await rehome("explain", "error-conflict", terminal: Self.screen(width))
    let paragraph = try #require(outcome.text.split(separator: "\n\n").dropFirst().first)
    let lines = paragraph.split(separator: "\n")
    #expect(lines.count > 1)
    let room = min(width, 78)
    for (line, next) in zip(lines, lines.dropFirst()) {
      let word = next.prefix { $0 != " " }
      #expect(line.count <= room && line.count + 1 + word.count > room, "\(paragraph)")
    }
  }

  private static func screen(_ width: Int) -> Terminal.Facts {
    Terminal.Facts(outputIsTerminal: true, errorIsTerminal: true, width: width)
  }

  @Test func progressNeverShowsInAPipe() throws {
    let folder = try TemporaryFolder()
    let large = try AlteredStore.makeLarge(in: folder, rows: 100_000)
    let outcome = try Program.rehome.run(["convert", "-q", large, "-o", folder.path("out")])
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
  }

  @Test func namesFromTheStoreCannotActOnATerminal() async throws {
    let folder = try TemporaryFolder()
    let hostile = "Todo\u{1B}[2J\u{7}\nItem"
    let altered = try AlteredStore.make(
      in: folder,
      // The table has the name, too: else the entity counts as renamed, and its table names it.
      """
      UPDATE Z_PRIMARYKEY SET Z_NAME = 'Todo' || x'1b5b324a070a' || 'Item' WHERE Z_ENT = 3;
      ALTER TABLE ZTODOITEM RENAME TO "Z\(hostile.uppercased())";
      """)
    let runs = [
      await rehome("inspect", altered, terminal: .init(outputIsTerminal: true)),
      await rehome("convert", altered, "-o", folder.path("out")),
      await rehome("export", altered, "--to", "ndjson", "--table", "nothing"),
    ]
    for run in runs {
      // Bold headings on a terminal are ours.
      let shown = (run.text + run.error).replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(!shown.contains("\u{1B}"))
      #expect(!shown.contains("\u{7}"))
      #expect(!shown.contains(hostile))
    }
    #expect(runs[0].text.contains(#"Todo\u{1B}[2J\u{07}\nItem"#), "\(runs[0].text)")
  }

  @Test(arguments: [["audit", "--json"], ["ops", "list", "--json"], ["ops", "show", "--json"]])
  func jsonFromTheStoreCannotActOnATerminal(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let altered = try AlteredStore.make(
      in: folder,
      "UPDATE ZTODOITEM SET ZTEXT = 'a' || char(155) || '2J' || char(127) || char(8238) || 'b'")
    let words = command + [altered] + (command.contains("show") ? ["1"] : [])
    let piped = await rehome(words)
    let shown = await rehome(words, terminal: .init(outputIsTerminal: true))
    let scalars = ["\u{9B}", "\u{7F}", "\u{202E}"]
    #expect(scalars.allSatisfy { piped.text.contains($0) && !shown.text.contains($0) })
    #expect(shown.text.split(separator: "\n").count == piped.text.split(separator: "\n").count)
    let values = try [piped, shown].map { outcome in
      try #require(try JSONSerialization.jsonObject(with: outcome.output) as? NSObject)
    }
    #expect(values[0] == values[1])
  }

  /// Names of stores and values of rows, as programs get them and as a terminal shows them.
  @Test(arguments: [
    ["hash"], ["audit", "--csv", "-", "-q"],
    ["export", "--to", "csv", "--table", "TodoItem"], ["export", "--to", "xml"],
    ["export", "--to", "json"], ["export", "--to", "ndjson", "--table", "TodoItem"],
    ["export", "--to", "postgresql"],
  ])
  func linesOfAFormatCannotActOnATerminal(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let altered = try AlteredStore.make(
      in: folder, "UPDATE ZTODOITEM SET ZTEXT = 'a' || char(155) || '2J' || char(8238) || 'b'")
    let store = folder.path("a\u{9B}2J\u{202E}b.sqlite")
    try FileManager.default.moveItem(atPath: altered, toPath: store)
    let piped = await rehome(command + [store])
    let shown = await rehome(command + [store], terminal: .init(outputIsTerminal: true))
    #expect(piped.code == shown.code)
    for scalar in ["\u{9B}", "\u{202E}"] {
      #expect(piped.text.contains(scalar), "\(command)")
      #expect(!shown.text.contains(scalar), "\(command)")
    }
    let ends = [piped, shown].map { $0.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    #expect(ends[0] == ends[1])
  }

  @Test func readerThatLeavesEarlyEndsTheRunWithoutNoise() throws {
    let folder = try TemporaryFolder()
    let large = try AlteredStore.makeLarge(in: folder, rows: 20_000)
    let line = #""$0" export "$1" --to ndjson | head -n 1; echo "${PIPESTATUS[0]}""#
    let outcome = try Program.bash.run(["-c", line, Project.executable.path, large])
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"_pk":1,"#) == true)
    #expect(lines.last == "0")
    #expect(outcome.error == "")
  }

  /// What a store calls things is shown by what it is, and moves no cursor.
  @Test(arguments: [
    ("watermelon-2024/watermelon.db", "ALTER TABLE tasks RENAME TO \"ta\u{1B}[31msks\""),
    ("powersync-2025/todos.sqlite", "UPDATE ps_buckets SET name = 'b' || char(27, 0x202E) || id"),
  ])
  func namesInMetadataAreEscaped(sample: String, change: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.db")
    _ = try python(
      """
      import os, shutil, sqlite3, sys
      for ending in "", "-wal":
          if os.path.exists(sys.argv[1] + ending):
              shutil.copy(sys.argv[1] + ending, sys.argv[2] + ending)
      target = sqlite3.connect(sys.argv[2])
      target.execute(sys.argv[3])
      target.commit()
      """, Project.path("samples/" + sample), path, change)
    let outcome = await rehome("inspect", path)
    #expect(outcome.text.contains("\\u{1B}"), "\(outcome.text)\(outcome.error)")
    #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{202E}"))
  }
}
