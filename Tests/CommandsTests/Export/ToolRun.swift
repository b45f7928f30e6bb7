import Foundation
import Synchronization
import Testing

@testable import CommandLineKit
@testable import Commands

/// One run of the tool in this process, and what it wrote.
struct ToolRun {
  let code: Int32
  let output: [UInt8]
  let error: String

  /// What was written to standard output, as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output as one JSON object.
  func object() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
  }

  init(_ arguments: String...) async {
    await self.init(arguments)
  }

  init(_ arguments: [String]) async {
    let streams = Streams()
    let console = Console(
      terminal: Terminal(facts: .init(), color: .never) { _ in nil },
      output: { bytes in streams.output.withLock { $0 += bytes } },
      error: { text in streams.error.withLock { $0 += text } })
    code = await RehomeCommand.run(arguments, console: console)
    output = streams.output.withLock { $0 }
    error = streams.error.withLock { $0 }
  }

  private final class Streams: Sendable {
    let output = Mutex<[UInt8]>([])
    let error = Mutex("")
  }
}
