import Foundation

/// Runs Python, the independent witness of what files hold.
enum Python {
  /// Why a script gave no answer.
  struct Failure: Error {
    let status: Int32
    let message: String
  }

  /// The output of a script that gets arguments and standard input.
  static func run(
    _ script: String, arguments: [String] = [], input: Data = Data()
  ) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) =
      (stdin, stdout, stderr)
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: input)
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let message = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        status: process.terminationStatus, message: String(decoding: message, as: UTF8.self))
    }
    return output
  }
}
