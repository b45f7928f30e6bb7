import Bytes
import CommandLineKit
import Foundation
import SQLite

@testable import Commands

extension Session {
  /// A run of a command that says nothing to anybody, until somebody stops it.
  init(
    silent words: [String], isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let arguments = try ArgumentParser.parse(words, with: RehomeCommand.description)
    let console = Console(
      terminal: Terminal(facts: .init(), color: .never) { _ in nil }, output: { _ in },
      error: { _ in })
    self.init(
      arguments: arguments, console: console, interruption: Interruption(isStopped),
      temporaryFolder: NSTemporaryDirectory(), budget: RunBudget(InputLimits()),
      pipes: PipedInputs(arguments))
  }
}
