import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import Commands

/// Whatever a file holds, a run ends with an exit code of the contract and leaves no trace.
struct MutationTests {
  private static let mutants = Task { try await Mutants() }

  /// What a store can bring about; anything else, an internal error above all, is our mistake.
  static let codes: Set<Int32> = [0, 2, 5, 64, 65, 66]

  @Test(arguments: 1...(LongTests.areWanted ? 8 : 4))
  func everyCommandSurvivesMutants(seed: Int) async throws {
    let folder = try TemporaryFolder()
    for mutant in try await Self.mutants.value.make(seed: seed, count: 30) {
      let output = try folder.makeFolder("output")
      let copies = try folder.makeFolder("copies")
      for arguments in Mutants.commands(mutant + "/store", output: output) {
        let before = FolderState(of: mutant)
        let code = await run(arguments, copies)
        let place = "seed \(seed): \(arguments.joined(separator: " "))"
        #expect(Self.codes.contains(code), "\(code) of \(place)")
        if !arguments.contains("drop") { #expect(FolderState(of: mutant) == before, "\(place)") }
        #expect(try leftovers(output, code) == [], "\(code) of \(place)")
        #expect(try names(copies) == [], "\(place)")
      }
    }
  }

  @Test(arguments: 101...104)
  func programSurvivesMutantsWithLittleTimeAndMemory(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let output = try folder.makeFolder("output")
    let mutants = try await Self.mutants.value.make(seed: seed, count: 15)
    // 1 GiB of addresses and 10 s of processor time for each run.
    let script = "ulimit -v 1048576; ulimit -t 10; exec \"$@\""
    for (number, mutant) in mutants.enumerated() {
      let commands = Mutants.commands(mutant + "/store", output: output)
      for place in [number, number + 4, number + 8, number + 13] {
        let arguments = commands[place % commands.count]
        let outcome = try await Program.bash.runApart(
          ["-c", script, "bash", Project.executable.path] + arguments)
        let place = "seed \(seed): \(arguments.joined(separator: " "))"
        #expect(Self.codes.contains(outcome.code), "\(outcome.code) of \(place): \(outcome.error)")
        if ![0, 2, 5].contains(outcome.code) {
          #expect(outcome.error.contains("rehome: "), "\(outcome.code) of \(place)")
        }
        #expect(try leftovers(output, outcome.code) == [], "\(outcome.code) of \(place)")
      }
    }
  }

  /// Runs the tool in this process, with a folder of its own for private copies.
  private func run(_ arguments: [String], _ copies: String) async -> Int32 {
    let console = Console(
      terminal: Terminal(facts: .init(), color: .never) { _ in nil }, output: { _ in },
      error: { _ in })
    return await RehomeCommand.run(arguments, console: console, temporaryFolder: copies)
  }

  /// Clears the folder of outputs.
  ///
  /// - Returns: what should not have been there: unfinished outputs, and any of a run that failed.
  private func leftovers(_ folder: String, _ code: Int32) throws -> [String] {
    let found = try names(folder)
    for name in found { try FileManager.default.removeItem(atPath: folder + "/" + name) }
    return [0, 2, 5].contains(code) ? found.filter { $0.hasPrefix(".") } : found
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }
}
