import Foundation
import TestSupport
import Testing

/// Another program, run to its end with its streams in files, so that neither can block.
struct Program: Sendable {
  let executable: URL

  /// The tool as users run it.
  static let rehome = Program(executable: Project.executable)
  static let bash = Program(executable: URL(fileURLWithPath: "/bin/bash"))
  static let python = Program(named: "python3")
  static let mandoc = Program(named: "mandoc")

  init(executable: URL) {
    self.executable = executable
  }

  /// A program of the usual folders or the search path; `isInstalled` tells whether it was found.
  ///
  /// What comes earlier in the path may be a script that looks for the program at each start.
  init(named name: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let places = ("/usr/local/bin:/usr/bin:" + path).split(separator: ":").map {
      URL(fileURLWithPath: String($0)).appendingPathComponent(name)
    }
    let found = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    executable = found ?? URL(fileURLWithPath: "/" + name)
  }

  var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

  /// Runs the program; `variables` come on top of a small fixed environment.
  func run(
    _ arguments: [String], in folder: String? = nil, variables: [String: String] = [:],
    whileRunning body: (ChildProcess) throws -> Void = { _ in }
  ) throws -> Outcome {
    let streams = try TemporaryFolder()
    let output = URL(fileURLWithPath: try streams.write([], to: "output"))
    let error = URL(fileURLWithPath: try streams.write([], to: "error"))
    let (outputs, errors) = (
      try FileHandle(forWritingTo: output), try FileHandle(forWritingTo: error)
    )
    let process = try ChildProcess(
      executable, arguments, in: folder ?? streams.path,
      environment: Self.environment.merging(variables) { $1 },
      ChildProcess.Streams(output: outputs.fileDescriptor, error: errors.fileDescriptor))
    try body(process)
    return Outcome(
      code: process.waitUntilExit(), output: try Data(contentsOf: output),
      error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
  }

  /// As `run`, with a thread of its own that waits: a test has only a few to share with others.
  func runApart(
    _ arguments: [String], variables: [String: String] = [:],
    whileRunning body: @escaping @Sendable (ChildProcess) throws -> Void = { _ in }
  ) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try run(arguments, variables: variables, whileRunning: body) })
      }
    }
  }

  private static var environment: [String: String] {
    let own = ProcessInfo.processInfo.environment
    return own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
      .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }
}

/// Runs Python statements as an independent oracle and returns what they print.
func python(_ script: String, _ arguments: String...) throws -> String {
  try python(script, arguments)
}

/// Runs Python statements as an independent oracle and returns what they print.
func python(_ script: String, _ arguments: [String]) throws -> String {
  let outcome = try Program.python.run(["-B", "-c", script] + arguments)
  try #require(outcome.code == 0, "\(outcome.error)")
  return outcome.text
}
