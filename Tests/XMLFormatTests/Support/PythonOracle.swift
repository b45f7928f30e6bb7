import Foundation
import TestSupport
import Testing

/// Runs one Python script and reads rows of byte fields back: the independent second opinion.
///
/// A script calls `row(…)` for each row; all cases of a test go through one process.
enum PythonOracle {
  static func rows(_ script: String, input: [[UInt8]] = []) throws -> [[[UInt8]]] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let program = folder.appending(path: "script.py")
    try Data((prelude + script).utf8).write(to: program)
    let lines = input.map { Data($0).base64EncodedString() }.joined(separator: "\n")
    try Data(lines.utf8).write(to: folder.appending(path: "input"))

    let output = Pipe()
    let process = try ChildProcess(
      URL(filePath: "/usr/bin/env"),
      ["python3", program.path, folder.appending(path: "input").path],
      ChildProcess.Streams(output: output.fileHandleForWriting.fileDescriptor))
    try output.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    try #require(process.waitUntilExit() == 0)
    return try text.split(separator: "\n").map { line in
      try line.split(separator: " ", omittingEmptySubsequences: false).map {
        [UInt8](try #require(Data(base64Encoded: String($0.dropFirst()))))
      }
    }
  }

  private static let prelude = """
    import sys, base64, plistlib, datetime, gzip
    import xml.etree.ElementTree as ElementTree
    inputs = [base64.b64decode(line) for line in open(sys.argv[1])]
    def row(*fields):
        fields = [f.encode() if isinstance(f, str) else bytes(f) for f in fields]
        print(' '.join('=' + base64.b64encode(f).decode() for f in fields))

    """
}
