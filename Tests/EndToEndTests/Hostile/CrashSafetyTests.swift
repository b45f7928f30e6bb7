import Foundation
import TestSupport
import Testing

/// A system call that fails, or the end of the process at it, never leaves a broken output.
@Suite(.enabled(if: Faults.shared != nil, "needs a C compiler"))
struct CrashSafetyTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    // A store with a WAL, so that a private copy is made and must go again.
    store = Sample(name: "ios-2015").store()
  }

  /// A way to make an output; `OUT` stands for its path.
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { name }
  }

  static let works = [
    Work(name: "convert", arguments: ["convert", "-q", "STORE", "-o", "OUT"]),
    Work(
      name: "seed", arguments: ["seed", "-q", "STORE", "-o", "OUT", "--into", "canonical"]),
    Work(name: "bundle", arguments: ["export", "-q", "STORE", "--to", "csv", "-o", "OUT"]),
    Work(
      name: "document", arguments: ["export", "-q", "STORE", "--to", "xml", "-o", "OUT.xml.gz"]),
    Work(name: "page", arguments: ["audit", "-q", "STORE", "--html", "OUT"]),
  ]

  @Test(arguments: works, Faults.Fault.allCases)
  func newOutputIsCompleteOrMissing(_ work: Work, _ fault: Faults.Fault) async throws {
    let faults = try #require(Faults.shared)
    let (output, copies) = (try folder.makeFolder("output"), try folder.makeFolder("copies"))
    let arguments = filled(work, output + "/out")
    let calls = try await faults.count(arguments, copies: copies)
    let whole = try takeOutputs(output)
    #expect(calls > 5 && whole.count == 1)
    for call in 1...calls where fault.isTried(at: call) {
      let outcome = try await faults.run(arguments, copies: copies, fault, at: call)
      let place = "call \(call): \(outcome.code), \(outcome.error)"
      let found = try takeOutputs(output)
      let visible = found.filter { !$0.key.hasPrefix(".") }
      if outcome.code == 0 {
        #expect(isSame(visible, whole, work), "\(place)")
      } else if fault == .kill {
        // Complete, when it was killed after that; else nothing but what a person can recognise.
        #expect(visible.isEmpty || isSame(visible, whole, work), "\(place)")
        #expect(found.keys.allSatisfy { !$0.hasPrefix(".") || $0.hasSuffix(".rehome-part") })
      } else {
        #expect([73, 74, 77].contains(outcome.code), "\(place)")
        #expect(outcome.error.hasPrefix("rehome: "), "\(place)")
        #expect(found.isEmpty, "\(place)")
      }
      if fault != .kill { #expect(try names(copies) == [], "\(place)") }
      for name in try names(copies) {
        try FileManager.default.removeItem(atPath: copies + "/" + name)
      }
    }
  }

  @Test(arguments: Faults.Fault.allCases)
  func replacedDatabaseIsTheOldOrTheNewOne(_ fault: Faults.Fault) async throws {
    let faults = try #require(Faults.shared)
    let (output, copies) = (try folder.makeFolder("output"), try folder.makeFolder("copies"))
    let path = output + "/out"
    let arguments = ["convert", "-qf", store, "-o", path]
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let calls = try await faults.count(arguments, copies: copies)
    for call in 1...calls where fault.isTried(at: call) {
      for ending in ["", "-wal"] {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path + ending))
      }
      let outcome = try await faults.run(arguments, copies: copies, fault, at: call)
      let place = "call \(call): \(outcome.code), \(outcome.error)"
      let isOld = try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8)
      let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
      if !isOld {
        // A new database beside an old one's log would be a broken one.
        #expect(!hasLog, "\(place)")
        #expect(try await Program.rehome.runApart(["hash", path]).code == 0, "\(place)")
      } else if fault != .kill {
        #expect(hasLog && [73, 74, 77].contains(outcome.code), "\(place)")
      }
      #expect(isOld || outcome.code == 0 || fault == .kill, "\(place)")
      if fault != .kill { #expect(try names(output).allSatisfy { !$0.hasPrefix(".") }, "\(place)") }
    }
  }

  @Test(arguments: Faults.Fault.allCases)
  func markedStoreKeepsAllMarksOrNone(_ fault: Faults.Fault) async throws {
    let faults = try #require(Faults.shared)
    let copies = try folder.makeFolder("copies")
    let (original, marked) = (folder.path("original"), folder.path("marked"))
    #expect(try await Program.rehome.runApart(["convert", "-q", store, "-o", original]).code == 0)
    let arguments = ["ops", "drop", "-q", "--who", "me", marked, "1", "2"]
    func restore() throws {
      for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: marked + ending) {
        try FileManager.default.removeItem(atPath: marked + ending)
      }
      try FileManager.default.copyItem(atPath: original, toPath: marked)
    }
    try restore()
    let calls = try await faults.count(arguments, copies: copies)
    for call in 1...calls where fault.isTried(at: call) {
      try restore()
      let outcome = try await faults.run(arguments, copies: copies, fault, at: call)
      let place = "call \(call): \(outcome.code), \(outcome.error)"
      if fault != .kill {
        #expect([0, 73, 74, 77].contains(outcome.code), "\(place)")
        #expect(outcome.code == 0 || outcome.error.hasPrefix("rehome: "), "\(place)")
      }
      let list = try await Program.rehome.runApart([
        "audit", "--json", "--fail-on", "never", marked,
      ])
      #expect(list.code == 0, "\(place), then \(list.error)")
      let dropped = list.text.components(separatedBy: "\"dropped\"").count - 1
      #expect(dropped == 2 || (dropped == 0 && outcome.code != 0), "\(place)")
    }
  }

  @Test func twentyKillsAtAnyTimeLeaveNothingHalfDone() async throws {
    let store = try AlteredStore.makeLarge(in: folder, rows: 20_000)
    let output = try folder.makeFolder("output")
    let path = output + "/out"
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<20 {
      let pause = UInt32.random(in: 1_000...400_000, using: &generator)
      _ = try await Program.rehome.runApart(["convert", "-q", store, "-o", path]) { process in
        usleep(pause)
        kill(process.processIdentifier, SIGKILL)
      }
      if FileManager.default.fileExists(atPath: path) {
        #expect(try await Program.rehome.runApart(["verify", "-q", store, path]).code == 0)
        try FileManager.default.removeItem(atPath: path)
      }
      #expect(try names(output).allSatisfy { $0.hasSuffix(".rehome-part") })
    }
    #expect(try await Program.rehome.runApart(["convert", "-q", store, "-o", path]).code == 0)
  }

  private func filled(_ work: Work, _ output: String) -> [String] {
    work.arguments.map {
      $0.replacingOccurrences(of: "STORE", with: store)
        .replacingOccurrences(of: "OUT", with: output)
    }
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  /// Removes everything in a folder, and returns it: names, and the files below them.
  private func takeOutputs(_ folder: String) throws -> [String: [String: Data]] {
    var outputs: [String: [String: Data]] = [:]
    for name in try names(folder) {
      let path = folder + "/" + name
      var files: [String: Data] = [:]
      for file in FileManager.default.subpaths(atPath: path) ?? [] {
        files[file] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + file))
      }
      if let content = FileManager.default.contents(atPath: path) { files[""] = content }
      outputs[name] = files
      try FileManager.default.removeItem(atPath: path)
    }
    return outputs
  }

  /// Whether two outputs are alike; a store and a page tell the time at which they were made.
  private func isSame(
    _ one: [String: [String: Data]], _ two: [String: [String: Data]], _ work: Work
  ) -> Bool {
    guard !["convert", "seed", "page"].contains(work.name) else {
      return one.mapValues { $0.mapValues(\.count) } == two.mapValues { $0.mapValues(\.count) }
    }
    return one == two
  }
}
