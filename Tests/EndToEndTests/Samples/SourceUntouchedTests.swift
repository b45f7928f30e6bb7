import Foundation
import TestSupport
import Testing

/// No command changes a source: neither its bytes nor its times nor what stands beside it.
struct SourceUntouchedTests {
  @Test(arguments: Sample.all)
  func everyCommandLeavesTheSourceAsItWas(sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copy(of: sample)
    let store = sample.store(in: copy)
    let before = try Fingerprint(of: copy)
    let commands: [[String]] = [
      ["inspect", store], ["convert", store, "-o", folder.path("out.rehome")],
      ["export", store, "--to", "ndjson", "--table", sample.tables[0]],
      ["export", store, "--to", "ndjson", "--table", "None"],
      ["convert", store, "-f", "-o", store],
    ]
    for command in commands {
      let outcome = try Program.rehome.run(command, variables: ["TMPDIR": folder.path])
      #expect([sample.code, 0, 64, 73].contains(outcome.code), "\(command): \(outcome.error)")
      #expect(try Fingerprint(of: copy) == before, "\(command)")
    }
    #expect(folder.names == [sample.name, "out.rehome"].sorted())
  }

  @Test func folderThatMayOnlyBeReadIsEnough() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first)
    let copy = try folder.copy(of: sample)
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: copy)
    let outcome = await rehome("inspect", "--fail-on", "never", sample.store(in: copy))
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
    #expect(outcome.code == 0, "\(outcome.error)")
  }
}
