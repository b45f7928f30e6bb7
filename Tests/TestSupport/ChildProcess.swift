import CSpawn
package import Foundation
import Synchronization

/// Another program that runs beside the tests.
///
/// Foundation's own looks for open descriptors by copying whole directory entries, also the last
/// one of its buffer, behind which no memory need be: with many tests at a time that ended the
/// process now and then. This one has the system close them.
package final class ChildProcess: Sendable {
  /// The number by which the system knows it.
  package let processIdentifier: Int32
  private let ended = Mutex<Int32?>(nil)

  /// Why a program could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where a program's streams lead: to descriptors, or nowhere.
  package struct Streams {
    package var input: Int32?
    package var output: Int32?
    package var error: Int32?

    /// Streams; what is left out of input and output is empty, of errors those of the tests.
    package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil) {
      (self.input, self.output, self.error) = (input, output, error)
    }
  }

  /// Starts a program.
  package init(
    _ program: URL, _ arguments: [String], in folder: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    _ streams: Streams = Streams()
  ) throws {
    var number: pid_t = 0
    let words = CTexts([program.path] + arguments)
    let variables = CTexts(environment.map { "\($0.key)=\($0.value)" })
    // All texts live until the call returns.
    let result = withExtendedLifetime((words, variables)) {
      unsafe rehome_spawn(
        &number, program.path, words.list, variables.list, folder, streams.input ?? -1,
        streams.output ?? -1, streams.error ?? -1)
    }
    guard result == 0 else {
      throw Failure(description: "\(program.path) cannot be started: error \(result)")
    }
    processIdentifier = number
  }

  /// Whether it has not ended yet.
  package var isRunning: Bool { status(waiting: false) == nil }

  /// Waits for its end.
  ///
  /// - Returns: its exit code, or the number of the signal that ended it.
  @discardableResult
  package func waitUntilExit() -> Int32 {
    let status = status(waiting: true) ?? 0
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  /// The status of the ended program; nil while it runs.
  private func status(waiting: Bool) -> Int32? {
    // Whoever waits must not keep others from asking.
    while true {
      let known = ended.withLock { ended -> Int32? in
        if let ended { return ended }
        var status: Int32 = 0
        if unsafe waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
          ended = status
        }
        return ended
      }
      if known != nil || !waiting { return known }
      usleep(500)
    }
  }
}

/// Texts as C has a list of them, which nobody changes.
@safe
private final class CTexts {
  let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    unsafe list = .allocate(capacity: texts.count + 1)
    for (place, text) in texts.enumerated() {
      unsafe (list + place).initialize(to: strdup(text))
    }
    unsafe (list + texts.count).initialize(to: nil)
  }

  deinit {
    for place in 0..<count { unsafe free(list[place]) }
    unsafe list.deallocate()
  }
}
