import Foundation
import TestSupport
import Testing

/// What was set aside in a file and cannot be read back is never left out without a word.
struct LostReadsTests {
  private static let compiler = SystemProgram(name: "cc")

  /// Everything that keeps a queue fails as for any broken disk, and leaves nothing behind.
  @Test(
    .enabled(
      if: compiler.isInstalled && SystemProgram.python.isInstalled,
      "a C compiler or python3 is not installed"))
  func nothingIsMadeOfWhatCannotBeReadBack() throws {
    let folder = try TemporaryFolder()
    let lines = try Python.run(
      file: Project.path("Tests/Oracles/lost_reads.py"),
      arguments: [
        Project.executable.path, folder.path("stores"), Self.compiler.location?.path ?? "",
      ])
    let results = String(decoding: lines, as: UTF8.self).split(separator: "\n")
    #expect(results.count == 14)
    for result in results { #expect(result.hasSuffix(" 74 nothing"), "\(result)") }
  }
}
