import Foundation
import Testing

/// Runs Python as an independent oracle.
enum Python {
  /// Gives `lines` to a script that defines `answer(line)`, and returns its answers.
  static func answers(to lines: [String], _ script: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let input = folder.path("input")
    let program = folder.path("oracle.py")
    try lines.joined(separator: "\n").write(toFile: input, atomically: false, encoding: .utf8)
    let loop = "\nimport sys\nfor line in sys.stdin.read().split('\\n'): print(answer(line))\n"
    try (script + loop).write(toFile: program, atomically: false, encoding: .utf8)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", program]
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let answers = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
    try #require(answers.count == lines.count)
    return answers
  }
}
