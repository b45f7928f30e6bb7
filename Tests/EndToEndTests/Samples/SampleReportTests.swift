import Foundation
import TestSupport
import Testing

/// The reports on the shipped samples hold at least what `expected/` says.
struct SampleReportTests {
  @Test(arguments: Sample.all)
  func inspectReportsWhatIsExpected(of sample: Sample) async throws {
    let outcome = await rehome("inspect", "--json", "--fail-on", "never", sample.store())
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    let missing = differences(
      try JSONSerialization.jsonObject(with: sample.expected("inspect.json")),
      try outcome.json())
    #expect(missing == [])
  }

  @Test(arguments: Sample.all)
  func convertReportsWhatIsExpected(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.rehome")
    let outcome = await rehome(
      "convert", "--json", "--fail-on", "never", sample.store(), "-o", output)
    #expect(outcome.code == sample.code)
    let report = try outcome.json()
    #expect(report["output"] as? String == output)
    #expect(
      differences(
        try JSONSerialization.jsonObject(with: sample.expected("convert.json")), report) == [])
  }

  /// What was seen of a store stays with it, whichever way it goes.
  @Test(arguments: Sample.all)
  func exportsKeepTheFindingsThatConversionsKeep(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    // Values that were rejected are told by a conversion, and kept as such by an export.
    let rejects: Set = ["value-of-wrong-type", "value-out-of-range", "invalid-text"]
    var codes: [[String]] = []
    for (command, output) in [(["convert"], "a.rehome"), (["export", "--to", "json"], "a.json")] {
      let path = folder.path(output)
      _ = await rehome(command + ["-q", "--fail-on", "never", sample.store(), "-o", path])
      let audit = try await rehome("audit", "--json", "--fail-on", "never", path).json()
      let stores = try #require(audit["stores"] as? [[String: Any]])
      let findings = try #require(stores.first?["findings"] as? [[String: Any]])
      codes.append(
        findings.compactMap { $0["code"] as? String }.filter { !rejects.contains($0) }.sorted())
    }
    #expect(codes[0] == codes[1])
  }

  @Test(arguments: Sample.all)
  func filesAreProvenByTheirHashes(of sample: Sample) async throws {
    let outcome = await rehome("inspect", "--json", "--fail-on", "never", sample.store())
    let script = """
      import glob, hashlib, json, os, sys
      names = [n for n in sorted(glob.glob(sys.argv[1] + '*')) if os.path.getsize(n)]
      print(json.dumps([[os.path.basename(n), os.path.getsize(n),
          hashlib.sha256(open(n, 'rb').read()).hexdigest()] for n in names]))
      """
    let oracle = try JSONSerialization.jsonObject(
      with: Data(try python(script, sample.store()).utf8))
    let stores = try #require(try outcome.json()["stores"] as? [[String: any Sendable]])
    let files = try #require(stores.first?["files"] as? [[String: any Sendable]])
    let seen = files.map { [$0["name"], $0["bytes"], $0["sha256"]] }
    #expect(differences(oracle, seen) == [])
  }

  @Test func severalStoresAreReportedInOneDocument() async throws {
    let stores = Sample.all.map { $0.store() }
    #expect(stores.count >= 3)
    let outcome = await rehome(
      "inspect", "--json", "--fail-on", "never", stores[0], stores[1], stores[2])
    #expect((try outcome.json()["stores"] as? [Any])?.count == 3)
  }
}
