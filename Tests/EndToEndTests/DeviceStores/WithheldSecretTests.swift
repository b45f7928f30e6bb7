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
      let output = folder.path("out.rehome")
      let page = folder.path("page.html")
      var texts: [Data] = []
      for arguments in [
        ["inspect", "--json", store], ["audit", "--json", store], ["audit", store],
        ["audit", "-q", store, "--html", page, "-f"], ["ops", "list", store],
        ["export", store, "--to", "json"], ["export", store, "--to", "xml"],
        ["convert", "-qf", store, "-o", output],
      ] {
        let outcome = await rehome(arguments + ["--fail-on", "never"])
        texts += [outcome.output, Data(outcome.error.utf8)]
      }
      for file in [output, page] {
        texts.append(try Data(contentsOf: URL(fileURLWithPath: file)))
      }
      for text in texts { #expect(text.range(of: Data(Self.secret.utf8)) == nil, "\(store)") }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      let isTold = texts[1...].contains { $0.range(of: Data("secret-withheld".utf8)) != nil }
      #expect(isTold || bytes.range(of: Data(Self.secret.utf8)) == nil, "\(store)")
      if isTold { told += 1 }
    }
    #expect(told > 4)
  }
}
