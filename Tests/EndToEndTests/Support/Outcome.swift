import CommandLineKit
import Foundation
import Synchronization
import Testing

@testable import Commands

/// What a run printed and how it ended.
struct Outcome: Sendable {
  let code: Int32
  let output: Data
  let error: String

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output as one JSON document and nothing else.
  func json() throws -> [String: any Sendable] {
    try #require(try JSONSerialization.jsonObject(with: output) as? [String: any Sendable])
  }

  /// Standard output as one JSON object a line.
  func jsonLines() throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}

/// Runs the tool in this process.
func rehome(_ arguments: String..., terminal facts: Terminal.Facts = .init()) async -> Outcome {
  await rehome(arguments, terminal: facts)
}

/// Runs the tool in this process.
func rehome(_ arguments: [String], terminal facts: Terminal.Facts = .init()) async -> Outcome {
  let output = Captured()
  let error = Captured()
  let console = Console(
    terminal: Terminal(facts: facts, color: .auto) { $0 == "TERM" ? "xterm" : nil },
    output: { output.append($0) }, error: { error.append(Array($0.utf8)) })
  let code = await RehomeCommand.run(
    arguments, console: console, temporaryFolder: NSTemporaryDirectory())
  return Outcome(
    code: code, output: output.data, error: String(decoding: error.data, as: UTF8.self))
}

/// Collects what is written to it.
private final class Captured: Sendable {
  private let bytes = Mutex<Data>(Data())

  func append(_ more: [UInt8]) { bytes.withLock { $0.append(contentsOf: more) } }
  var data: Data { bytes.withLock { $0 } }
}
