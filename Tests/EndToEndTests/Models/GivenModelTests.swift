import Foundation
import TestSupport
import Testing

/// `--model` with real stores: the same tables and rows whatever form the model comes in.
@Suite(
  .enabled(if: Corpus.has("CoreDataPlus"), "the corpus of real stores is not here"),
  .enabled(if: Program.python.isInstalled, "python3 is not installed"))
struct GivenModelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let model: String
    let store: String

    var testDescription: String { store }
    var storePath: String {
      Corpus.file("CoreDataPlus/\(model)/Fixtures/\(store).sqlite").path
    }
    var models: [String] {
      [
        Corpus.file("CoreDataPlus/\(model)/Fixtures/\(model).momd").path,
        Corpus.file("CoreDataPlus/\(model)/\(model).xcdatamodeld").path,
      ]
    }
  }

  static let cases = [
    Case(model: "SampleModel", store: "SampleModel_V1"),
    Case(model: "SampleModel", store: "SampleModel_V2"),
    Case(model: "SampleModel3", store: "SampleModel3_V1"),
  ]

  @Test(arguments: cases)
  func modelInEveryFormGivesWhatTheEmbeddedOneGives(of sample: Case) async throws {
    let folder = try TemporaryFolder()
    let bare = try withoutModel(sample.storePath, in: folder)
    let embedded = try await contents(of: sample.storePath, [], folder, "embedded")
    #expect(embedded.origin == "model-cache" && embedded.dump.contains("CREATE TABLE"))
    for (number, model) in sample.models.enumerated() {
      for (kind, store) in [("whole", sample.storePath), ("bare", bare)] {
        let given = try await contents(of: store, ["--model", model], folder, "\(kind)\(number)")
        #expect(given.origin == "model")
        #expect(given.dump == embedded.dump, "\(kind) \(model)")
      }
    }
    let fallback = try await contents(of: bare, [], folder, "fallback")
    #expect(fallback.origin == "fallback" && fallback.dump != embedded.dump)
  }

  @Test func modelOfAnotherAppIsAUsageErrorThatTellsTheDifference() async throws {
    let folder = try TemporaryFolder()
    for model in Self.cases[2].models {
      let outcome = await rehome(
        "convert", Self.cases[0].storePath, "--model", model, "-o", folder.path("out"))
      #expect(outcome.code == 64)
      #expect(outcome.error.contains("no version of the model belongs to this store"))
      #expect(outcome.error.contains("lacks "))
      #expect(folder.names.isEmpty)
    }
  }

  @Test(arguments: cases)
  func modelIsNotAskedOfStoresBesideTheOneThatItIsOf(of sample: Case) async throws {
    let folder = try TemporaryFolder()
    let (input, template) = (folder.path("in.rehome"), folder.path("empty.sqlite"))
    _ = await rehome("convert", sample.storePath, "-o", input, "--fail-on", "never")
    let script = Project.path("Tests/Oracles/empty_core_data.py")
    _ = try Python.run(
      file: script, arguments: [sample.storePath, template, "DELETE FROM Z_MODELCACHE"])
    for model in sample.models {
      let seeded = await rehome(
        "seed", input, "--into", "core-data", "--template", template, "--model", model,
        "-f", "-o", folder.path("app.sqlite"), "--fail-on", "never")
      #expect(seeded.code == 0, "\(seeded.error)")
      let verdict = await rehome("verify", input, folder.path("app.sqlite"), "--model", model)
      #expect(verdict.code == 0, "\(verdict.text.prefix(600))")
      let seen = await rehome("inspect", folder.path, "--model", model)
      #expect(!seen.error.contains("a model makes no sense"), "\(seen.error)")
    }
  }

  @Test func transformablesAreDecodedWhereAsked() async throws {
    let folder = try TemporaryFolder()
    let sample = Self.cases[0]
    let plain = try await contents(of: sample.storePath, [], folder, "plain")
    let decoded = try await contents(
      of: sample.storePath, ["--decode-transformables"], folder, "decoded")
    #expect(!plain.dump.contains("_decoded"))
    #expect(decoded.dump.contains("_decoded"))
  }

  /// A copy of a store whose own model is gone.
  private func withoutModel(_ store: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(URL(filePath: store).lastPathComponent)
    let script = """
      import shutil, sqlite3, sys
      shutil.copy(sys.argv[1], sys.argv[2])
      with sqlite3.connect(sys.argv[2]) as db: db.execute("DELETE FROM Z_MODELCACHE")
      """
    _ = try python(script, store, path)
    return path
  }

  /// What Python finds in the canonical store of a conversion: tables, columns, rows.
  private func contents(
    of store: String, _ options: [String], _ folder: TemporaryFolder, _ name: String
  ) async throws -> (dump: String, origin: String) {
    let output = folder.path(name + ".rehome")
    let console = await rehome(["convert", store, "-o", output, "--fail-on", "never"] + options)
    try #require([0, 2].contains(console.code), "\(console.error)")
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      names = [r[0] for r in db.execute("SELECT name FROM rehome_table ORDER BY rowid")]
      for name in names:
          sql = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [name]).fetchone()
          print(sql[0])
          for row in db.execute(f'SELECT * FROM "{name}" ORDER BY _pk'): print(repr(row))
      print("--")
      print(db.execute("SELECT nameOrigin FROM rehome_source").fetchone()[0], end="")
      """
    let text = try python(script, output)
    let parts = text.components(separatedBy: "--\n")
    return (parts[0], parts.last ?? "")
  }
}
