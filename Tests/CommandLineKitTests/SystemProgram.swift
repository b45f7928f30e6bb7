import Foundation
import Testing

/// A program that some machines have.
struct SystemProgram {
  let name: String

  static let bash = SystemProgram(name: "bash")
  static let zsh = SystemProgram(name: "zsh")
  static let fish = SystemProgram(name: "fish")
  static let mandoc = SystemProgram(name: "mandoc")
  static let python = SystemProgram(name: "python3")

  var location: URL? {
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    return folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  var isInstalled: Bool { location != nil }

  struct Outcome {
    let output: String
    let code: Int32
  }

  /// Runs the program with `input` on standard input, and reads both output streams together.
  func run(_ arguments: [String], input: String = "", in folder: URL? = nil) throws -> Outcome {
    let process = Process()
    let executable: URL = try #require(location)
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let source = Pipe()
    let sink = Pipe()
    process.standardInput = source
    process.standardOutput = sink
    process.standardError = sink
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let data = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(output: String(decoding: data, as: UTF8.self), code: process.terminationStatus)
  }
}

/// Lends a new folder that holds a script, two files and a folder, and removes it afterwards.
func withScriptFolder<Result>(
  _ script: String, _ body: (URL) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  let files = folder.appendingPathComponent("files")
  try FileManager.default.createDirectory(
    at: files.appendingPathComponent("shelf"), withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try Data(script.utf8).write(to: folder.appendingPathComponent("script"))
  for name in ["bowl.pot", "jug with handle.pot"] {
    try Data().write(to: files.appendingPathComponent(name))
  }
  return try body(folder)
}
