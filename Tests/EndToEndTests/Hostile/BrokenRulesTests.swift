import Foundation
import TestSupport
import Testing

/// Whatever an input holds, no rule of the canonical store that it breaks is an internal error.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct BrokenRulesTests {
  /// What a store can bring about; anything else is our mistake.
  private static let codes: Set<Int32> = [0, 2, 64, 65]

  @Test func everyRuleIsKeptOrToldOf() async throws {
    let folder = try TemporaryFolder()
    let core = Sample(name: "ios-2016").store()
    let canonical = folder.path("sound.rehome")
    try #require(await rehome("convert", "-q", core, "-o", canonical).code == 0)
    let maker = Project.path("Tests/Oracles/break_rules.py")
    _ = try Python.run(file: maker, arguments: [folder.path("inputs"), canonical, core])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("inputs"))
    #expect(names.count > 300)
    for (number, name) in names.sorted().enumerated() {
      guard LongTests.areWanted || number.isMultiple(of: 3) else { continue }
      let input = folder.path("inputs/\(name)")
      let command = name.hasSuffix(".store") ? "convert" : "seed"
      let output = folder.path("out.rehome")
      let outcome = await rehome(command, "-qf", input, "-o", output)
      #expect(Self.codes.contains(outcome.code), "\(outcome.code) of \(name): \(outcome.error)")
      if name.hasSuffix("-least.store") || name.hasSuffix("-most.store") {
        try await checkUses(of: input, beside: canonical, in: folder)
      }
      // Exports have fewer rules of their own.
      guard name.hasPrefix("canonical"), number.isMultiple(of: 9) || outcome.code == 65 else {
        continue
      }
      try await checkExport(of: input, in: folder)
    }
  }

  /// Numbers at both ends are sums, differences and places to whoever goes on with the store.
  private func checkUses(
    of input: String, beside other: String, in folder: TemporaryFolder
  ) async throws {
    let merged = folder.path("merged.rehome")
    for arguments in [
      ["convert", "-qf", input, other, "-o", merged],
      ["convert", "-qf", other, input, "-o", merged],
      ["audit", "--json", "--fail-on", "never", input], ["ops", "list", "--json", input],
      ["inspect", "--json", "--fail-on", "never", input],
    ] {
      let outcome = await rehome(arguments)
      #expect(
        Self.codes.contains(outcome.code), "\(outcome.code) of \(arguments): \(outcome.error)")
    }
  }

  /// An export of such a store brings the same things, in another form.
  private func checkExport(of input: String, in folder: TemporaryFolder) async throws {
    let document = folder.path("out.json")
    let export = await rehome("export", "-qf", input, "--to", "json", "-o", document)
    #expect(Self.codes.contains(export.code), "\(export.code) of \(input): \(export.error)")
    guard [0, 2].contains(export.code) else { return }
    let seed = await rehome("seed", "-qf", document, "-o", folder.path("seeded.rehome"))
    #expect(Self.codes.contains(seed.code), "\(seed.code) of \(input): \(seed.error)")
  }
}
