import CommandLineKit
import Foundation
import TestSupport
import Testing

/// The README's sessions are real: each command, run anew, prints what stands below it.
///
/// `REHOME_UPDATE_GOLDEN=1 swift test --filter ReadmeTests` writes the output anew.
struct ReadmeTests {
  private static let file = URL(fileURLWithPath: Project.path("README.md"))

  @Test func sessionsPrintWhatTheReadmeShows() throws {
    let old = try String(contentsOf: Self.file, encoding: .utf8)
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("samples"), withDestinationPath: Project.path("samples"))
    var parts = old.components(separatedBy: "\n```console\n")
    try #require(parts.count > 2)
    for place in parts.indices.dropFirst() {
      let end = try #require(parts[place].range(of: "\n```"))
      let session = String(parts[place][..<end.lowerBound])
      parts[place].replaceSubrange(..<end.lowerBound, with: try replayed(session, in: folder))
    }
    let new = parts.joined(separator: "\n```console\n")
    if Project.isUpdatingGoldenFiles {
      try new.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(new == old)
    }
  }

  /// The commands of a session, each with the output that it gives now.
  private func replayed(_ session: String, in folder: TemporaryFolder) throws -> String {
    let commands = session.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    try #require(!commands.isEmpty)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let tool = Project.executable.deletingLastPathComponent().path
    return try commands.map { command in
      let outcome = try Program.bash.run(
        ["-c", "exec 2>&1; " + command.dropFirst(2)], in: folder.path,
        variables: ["PATH": tool + ":" + path])
      #expect(outcome.code == 0, "\(command)")
      let output = outcome.text.trimmingCharacters(in: .newlines)
      return command + (output.isEmpty ? "" : "\n" + output)
    }.joined(separator: "\n")
  }

  @Test func everyFileThatIsNamedExists() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let named = text.matches(of: #/`((?:Sources|Tests|samples|man|\.ci)/[\w./-]*)`/#).map(\.1)
    #expect(named.count > 5)
    for name in named {
      #expect(FileManager.default.fileExists(atPath: Project.path(String(name))), "\(name)")
    }
  }

  @Test func everyCommandIsInTheTable() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    for path in ManualPagesTests.commands where path.children.isEmpty {
      #expect(text.contains("`\(path.name)"), "\(path.name)")
    }
  }
}
