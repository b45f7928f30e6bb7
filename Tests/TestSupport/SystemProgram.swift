package import Foundation

/// A program that some machines have.
package struct SystemProgram: Sendable {
  /// The file's name, or its whole path.
  package let name: String

  /// A program by name, looked for in the usual folders, or by path.
  package init(name: String) {
    self.name = name
  }

  package static let bash = SystemProgram(name: "bash")
  package static let zsh = SystemProgram(name: "zsh")
  package static let fish = SystemProgram(name: "fish")
  package static let mandoc = SystemProgram(name: "mandoc")
  package static let python = SystemProgram(name: "python3")

  /// Where the program is, if it is installed.
  package var location: URL? {
    let folders = name.hasPrefix("/") ? [""] : ["/usr/local/bin/", "/usr/bin/", "/bin/"]
    return folders.map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
  }

  /// Whether tests that need the program can run.
  package var isInstalled: Bool { location != nil }

  /// How a run ended and what it said.
  package struct Outcome: Sendable {
    /// The bytes of standard output.
    package let data: Data
    /// The text of standard error.
    package let complaints: String
    /// The exit code, or the signal's number.
    package let code: Int32

    /// Both streams as text, standard output first.
    package var output: String { String(decoding: data, as: UTF8.self) + complaints }
  }

  /// Why a program did not even start, or what it said when it failed.
  package struct Failure: Error, CustomStringConvertible {
    /// What happened.
    package let description: String
  }

  /// Runs the program with `input` on standard input.
  package func run(
    _ arguments: [String], input: String, in folder: URL? = nil
  ) throws -> Outcome {
    try run(arguments, input: Data(input.utf8), in: folder)
  }

  /// Runs the program with bytes on standard input.
  ///
  /// All three streams are files, so that no side ever waits for the other.
  package func run(
    _ arguments: [String], input: Data = Data(), in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    guard let location else { throw Failure(description: "\(name) is not installed") }
    let streams = try TemporaryFolder()
    try input.write(to: URL(filePath: streams.path("input")))
    for name in ["output", "errors"] { try streams.write("", to: name) }
    let handles = (
      try FileHandle(forReadingFrom: URL(filePath: streams.path("input"))),
      try FileHandle(forWritingTo: URL(filePath: streams.path("output"))),
      try FileHandle(forWritingTo: URL(filePath: streams.path("errors")))
    )
    let process = try ChildProcess(
      location, arguments, in: folder?.path,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      ChildProcess.Streams(
        input: handles.0.fileDescriptor, output: handles.1.fileDescriptor,
        error: handles.2.fileDescriptor))
    let code = process.waitUntilExit()
    return Outcome(
      data: try Data(contentsOf: URL(filePath: streams.path("output"))),
      complaints: streams.text("errors") ?? "", code: code)
  }
}
