import Foundation
import TestSupport
import Testing

/// A folder of its own for one test, with stores to export.
final class ExportFixture {
  private let folder: URL

  /// The project's folder.
  static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // A leftover in the system's temporary folder harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of a name in the folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The names of everything in the folder, sorted.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// A copy of a sample, side files included.
  func sample(_ name: String, _ file: String = "qstodoitem.sqlite") throws -> String {
    let source = Self.project.appending(path: "samples/\(name)")
    try FileManager.default.copyItem(at: source, to: folder.appending(path: name))
    return path("\(name)/\(file)")
  }

  /// A canonical store of the sample and of all awkward names and values.
  func awkwardStore() async throws -> String {
    let store = path("awkward.rehome")
    let run = await ToolRun("convert", try sample("ios-2016"), "-o", store, "-q")
    try #require(run.code == 0)
    _ = try oracle("awkward_store.py", store)
    return store
  }

  /// A store with a table `t`, of which two pages are lost.
  func damagedStore(_ name: String) throws -> String {
    let script = """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      base.execute('PRAGMA page_size = 4096')
      base.execute('CREATE TABLE t (id TEXT PRIMARY KEY, x TEXT)')
      base.executemany('INSERT INTO t VALUES (?, ?)', [(f'k{i}', 'y' * 200) for i in range(400)])
      base.commit()
      base.close()
      with open(sys.argv[1], 'r+b') as file:
          file.seek(5 * 4096)
          file.write(bytes([0xA5]) * 8192)
      """
    let run = try Self.run("python3", ["-c", script, path(name)])
    try #require(run.status == 0, "\(run.output)")
    return path(name)
  }

  /// Runs a script of `Tests/Oracles`.
  ///
  /// - Returns: what it wrote.
  @discardableResult
  func oracle(_ script: String, _ arguments: String...) throws -> (status: Int32, output: String) {
    let program = Self.project.appending(path: "Tests/Oracles/\(script)").path
    return try Self.run("python3", [program] + arguments)
  }

  /// Runs a program of the system.
  static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let output = Pipe()
    let end = output.fileHandleForWriting
    let process = try ChildProcess(
      URL(filePath: "/usr/bin/env"), [program] + arguments,
      ChildProcess.Streams(output: end.fileDescriptor, error: end.fileDescriptor))
    try end.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    return (process.waitUntilExit(), text)
  }
}
