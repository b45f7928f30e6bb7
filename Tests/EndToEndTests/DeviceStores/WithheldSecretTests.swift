import Foundation
import TestSupport
import Testing

/// What would let others in is in no output of any command.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct WithheldSecretTests {
  /// What the maker of stores puts wherever an SDK keeps a secret.
  private static let secret = "s3cr3t-never-shown"

  @Test func secretsOfParseReachNoOutput() async throws {
    let folder = try TemporaryFolder()
    let stores = try RandomStores.make("wild_parse_stores.py", seed: 2033, count: 16, in: folder)
    var told = 0
    for store in stores {
      let texts = try await outputs(of: store, in: folder)
      for text in texts { #expect(text.range(of: Data(Self.secret.utf8)) == nil, "\(store)") }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      let isTold = texts[1...].contains { $0.range(of: Data("secret-withheld".utf8)) != nil }
      #expect(isTold || bytes.range(of: Data(Self.secret.utf8)) == nil, "\(store)")
      if isTold { told += 1 }
    }
    #expect(told > 4)
  }

  /// The files in the folders of a folder whose names begin so.
  private func files(below folder: String, like start: String) throws -> [String] {
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(start) }
      .flatMap { name in
        let path = folder + "/" + name
        return try files.contentsOfDirectory(atPath: path).map { path + "/" + $0 }
      }
  }

  @Test func cookiesOfCouchbaseReachNoOutput() async throws {
    let folder = try TemporaryFolder()
    let store = Project.path("samples/couchbase-ios-2015/notes.cblite")
    let texts = try await outputs(of: store, in: folder)
    for text in texts { #expect(text.range(of: Data("never-shown".utf8)) == nil) }
    for text in texts.prefix(2) {
      #expect(text.range(of: Data("secret-withheld".utf8)) != nil || text.isEmpty)
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: store + "-wal"))
    #expect(log.range(of: Data("never-shown".utf8)) != nil)
  }

  /// What all kinds of commands write about a store.
  private func outputs(of store: String, in folder: TemporaryFolder) async throws -> [Data] {
    let output = folder.path("out.rehome")
    let page = folder.path("page.html")
    let (rows, plan) = (folder.path("rows"), folder.path("plan.json"))
    let server = ["--to", "https://example.invalid", "--journal", folder.path("no.rehome")]
    var texts: [Data] = []
    for arguments in [
      ["inspect", "--json", store], ["audit", "--json", store], ["audit", store],
      ["audit", "-q", store, "--html", page, "-f"], ["ops", "list", store],
      ["export", store, "--to", "json"], ["export", store, "--to", "xml"],
      ["convert", "-qf", store, "-o", output],
      ["ops", "show", store, "1"], ["hash", store], ["find", "--json", store],
      ["export", store, "--to", "postgresql"],
      ["export", "-qf", store, "--to", "csv", "-o", rows + ".csv.d"],
      ["export", "-qf", store, "--to", "ndjson", "-o", rows + ".ndjson.d"],
      ["export", "-qf", store, "--to", "xml", "-o", rows + ".xml.d"],
      ["replay", "-v", store, "--dry-run"] + server,
      ["replay", "-v", store, "--dry-run", "--json"] + server,
      ["replay", "-f", store, "--plan", plan] + server,
      ["replay", output, "--dry-run", "--to", "https://example.invalid"],
    ] {
      let outcome = await rehome(arguments + ["--fail-on", "never"])
      texts += [outcome.output, Data(outcome.error.utf8)]
    }
    let written = [output, page, plan] + (try files(below: folder.path(""), like: "rows."))
    for file in written where FileManager.default.fileExists(atPath: file) {
      texts.append(try Data(contentsOf: URL(fileURLWithPath: file)))
    }
    return texts
  }
}
