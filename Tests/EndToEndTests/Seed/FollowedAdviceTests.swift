import Foundation
import TestSupport
import Testing

/// What an error says is to be tried works for who does just that.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct FollowedAdviceTests {
  private let folder: TemporaryFolder
  private let device = Sample(name: "ios-2016").store()
  private var out: String { folder.path("out.rehome") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func export(_ name: String, _ options: String...) async throws -> String {
    let path = folder.path(name)
    let outcome = await rehome(["export", "-q", device, "-o", path] + options)
    try #require(outcome.code == 0, "\(outcome.error)")
    return path
  }

  @Test func exportsAndCanonicalStoresAreMadeAgainWithCorrections() async throws {
    let name = ["--rename", "TodoItem.text=words"]
    let document = try await export("a.json", "--to", "json")
    let refused = await rehome(["seed", document, "-o", out] + name)
    #expect(refused.code == 64)
    #expect(refused.error.contains("export the original store again with them"), "\(refused.error)")
    let again = await rehome(
      ["export", "-q", device, "--to", "json", "-fo", document] + name)
    #expect(again.code == 0, "\(again.error)")
    #expect(await rehome("seed", "-q", document, "-o", out).code == 0)
    let inspected = await rehome(["inspect", out] + name)
    #expect(inspected.code == 64)
    #expect(
      inspected.error.contains(
        "convert the original store again with them, before anything is marked or replayed"))
    #expect(await rehome(["convert", "-q", device, "-fo", out] + name).code == 0)
  }

  @Test func tablesOfStoresAreJoinedByConvert() async throws {
    let documents = [
      try await export("a.json", "--to", "json"), try await export("b.json", "--to", "json"),
    ]
    let refused = await rehome(["seed"] + documents + ["-o", out])
    #expect(refused.code == 64 && !refused.error.contains("--rename"), "\(refused.error)")
    #expect(refused.error.contains("join the stores with 'rehome convert'"), "\(refused.error)")
    let joined = await rehome(["convert", "-q"] + documents + ["-o", out])
    #expect([0, 2].contains(joined.code), "\(joined.error)")
    let file = try folder.write("id\n1\n", to: "TodoItem.csv")
    for inputs in [[documents[0], file], [file, documents[0]]] {
      let told = await rehome(["seed"] + inputs + ["-fo", out])
      #expect(told.error.contains("of the plain file: --rename TodoItem=NAME"), "\(told.error)")
      let named = await rehome(
        ["seed", "-q"] + inputs + ["-fo", out, "--rename", "TodoItem=NAME"])
      #expect(named.code == 0, "\(named.error)")
    }
  }

  /// A plain file is renamed by its own name, also where it has got another one.
  @Test func tablesThatWereRenamedAreRenamedAnew() async throws {
    let document = try await export("a.json", "--to", "json")
    let file = try folder.write("id\n1\n", to: "T.csv")
    for inputs in [[document, file], [file, document]] {
      let seed = ["seed", "-q"] + inputs + ["-fo", out, "--rename"]
      let told = await rehome(seed + ["T=TodoItem"])
      #expect(told.error.contains("of the plain file: --rename T=NAME"), "\(told.error)")
      let named = await rehome(seed + ["T=NAME"])
      #expect(named.code == 0, "\(named.error)")
    }
  }

  @Test(arguments: [["--to", "csv", "--for", "excel"], ["--to", "ndjson"]])
  func fileOfABundleThatWasChangedIsReadByItself(_ form: [String]) async throws {
    let bundle = folder.path("bundle")
    _ = await rehome(["export", "-q", device, "-o", bundle] + form)
    let file = bundle + (form.contains("csv") ? "/TodoItem.csv" : "/TodoItem.ndjson")
    try change(file)
    let refused = await rehome("seed", bundle, "-o", out)
    #expect(refused.code == 65)
    #expect(refused.error.contains("name it in place of the bundle; its rows alone"))
    let taken = await rehome("seed", "-q", file, "-o", out)
    #expect(taken.code == 0, "\(taken.error)")
  }

  /// A document with its end refuses changed rows, and so does a table of an XML bundle.
  @Test(arguments: ["a.json", "a.xml", "a/TodoItem.xml"])
  func rowsOfADocumentAreChangedInAFolder(_ name: String) async throws {
    let form = name.hasSuffix("json") ? "json" : "xml"
    _ = try await export(name.contains("/") ? "a/" : name, "--to", form)
    let document = folder.path(name)
    let original = try Data(contentsOf: URL(filePath: document))
    try change(document)
    let inputs = name.contains("/") ? [document, folder.path("a")] : [document]
    for input in inputs {
      let refused = await rehome("seed", input, "-o", out)
      #expect(refused.code == 65)
      #expect(refused.error.contains("export to a folder of csv or ndjson"), "\(refused.error)")
    }
    try original.write(to: URL(filePath: document))
    let bundle = folder.path("rows")
    #expect(await rehome("export", "-q", document, "--to", "csv", "-o", bundle).code == 0)
    try change(bundle + "/TodoItem.csv")
    let taken = await rehome("seed", "-q", bundle + "/TodoItem.csv", "-o", out)
    #expect(taken.code == 0, "\(taken.error)")
  }

  /// The options that a note names give the columns the types of which it tells.
  @Test func textsAreReadAsTheNotesSay() async throws {
    let file = try folder.write(
      """
      id;amount;born;us date;price;zip
      a;1.234,50;31.12.2016;12/31/2016;2,50;01234
      b;-2;1.2.2016 09:15;1/2/2016 1:05 PM;3;12345

      """, to: "sales.csv")
    let told = await rehome("seed", file, "-o", out)
    let notes = told.error.split(separator: "\n").filter { $0.contains("[form-not-inferred]") }
    #expect(notes.count == 4, "\(told.error)")
    var options: [String] = []
    for word in notes.joined(separator: " ").replacing("'", with: "").matches(
      of: /--(?:decimal-comma|type sales\.(?:us date|[a-z]+)=[a-z-]+)/)
    {
      options += word.output.split(separator: " ", maxSplits: 1).map(String.init)
    }
    let taken = await rehome(["seed", file, "-fo", out] + options)
    #expect(taken.code == 0 && !taken.error.contains("form-not-inferred"), "\(taken.error)")
    let rows = await rehome("export", "-q", out, "--to", "csv", "--table", "sales")
    let times = "2016-12-31T00:00:00.000Z,2016-12-31T00:00:00.000Z"
    #expect(
      String(decoding: rows.output, as: UTF8.self) == """
        _pk,id,amount,born,us date,price,zip\r
        1,a,1234.50,\(times),2.50,01234\r
        2,b,-2,2016-02-01T09:15:00.000Z,2016-01-02T13:05:00.000Z,3,12345\r

        """)
    let exact = await rehome("seed", file, "-fo", out, "--exact")
    #expect(!exact.error.contains("form-not-inferred"), "\(exact.error)")
  }

  private func change(_ file: String) throws {
    // A text that Foundation reads has no byte order mark any more.
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    let changed = text.replacing("Buy coffee", with: "Get coffee")
    try #require(changed != text)
    try Data(changed.utf8).write(to: URL(filePath: file))
  }
}
