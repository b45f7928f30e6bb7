import Foundation
import TestSupport
import Testing

/// What a run wrote, whose standard error was a terminal.
struct TerminalRun: Decodable {
  let code: Int
  let error: String
  let output: String

  /// Runs the program as on a terminal; `--slow N` among the options holds it back.
  ///
  /// That takes its time, but next to no processor's: other tests go on meanwhile.
  init(_ arguments: [String], _ options: [String] = []) async throws {
    let oracle = Project.path("Tests/Oracles/on_terminal.py")
    let outcome = try await Program.python.runApart(
      ["-B", oracle] + options + [Project.executable.path] + arguments)
    try #require(outcome.code == 0, "\(outcome.error)")
    self = try JSONDecoder().decode(TerminalRun.self, from: outcome.output)
  }

  /// The lines that were drawn over each other.
  var drawn: [String] {
    error.split(separator: "\r").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }
}
