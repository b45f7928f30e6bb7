import Commands
import Foundation
import SQLite
import Synchronization

/// Whole commands on a file that holds the fuzzer's bytes, or on a sample that was given them.
final class StoreRun: Sendable {
  static let shared = StoreRun()

  private let scratch = ScratchFile.shared
  private static let samples =
    ProcessInfo.processInfo.environment["REHOME_SAMPLES"] ?? "samples"
  private let stores = SampleStores(below: StoreRun.samples)

  /// Runs commands on a file with these bytes, until one refuses it.
  func readFile(_ bytes: [UInt8], _ commands: [String]) {
    let path = scratch.write(bytes)
    for command in commands {
      guard run([command, path]) != Self.refusal else { return }
    }
  }

  /// Reads a sample with changed bytes, as it is or with `--salvage`.
  func readPages(_ bytes: [UInt8]) {
    let edits = PageEdits(bytes, of: stores)
    let path = write(edits.main, edits.log)
    let more = edits.salvages ? ["--salvage"] : []
    guard run(["hash"] + more + [path]) != Self.refusal else { return }
    run(["audit"] + more + [path])
  }

  /// Reads a sample with changed rows.
  func readRows(_ bytes: [UInt8]) {
    var edits = RowEdits(bytes, of: stores)
    let path = write(edits.files.main, edits.files.log)
    ignoringErrors { try edits.apply(to: try Connection(opening: path, mode: .readWrite)) }
    run(["audit", "--json", path])
    run(["hash", path])
  }

  /// The exit code for what is no store, or a damaged one.
  private static let refusal: Int32 = 65

  private func write(_ main: [UInt8], _ log: [UInt8]) -> String {
    for ending in ["-journal", "-shm"] {
      try? FileManager.default.removeItem(atPath: scratch.folder + "/sample" + ending)
    }
    scratch.write(log, to: "sample-wal")
    return scratch.write(main, to: "sample")
  }

  /// Makes the bytes the payload of every operation of a sample, and audits that.
  func readPayload(_ bytes: [UInt8]) {
    let store = copy("ios-2016/qstodoitem.sqlite")
    ignoringErrors {
      let connection = try Connection(opening: store, mode: .readWrite)
      var statement = try connection.prepare("UPDATE ZMS_TABLEOPERATIONS SET ZPROPERTIES = ?")
      try statement.bind(blob: bytes, at: 1)
      try statement.run()
    }
    run(["audit", "--json", store])
  }

  /// Reads a sample with the bytes as its model.
  func readModel(_ bytes: [UInt8]) {
    let model = scratch.write(bytes, to: "model.mom")
    run(["hash", "--model", model, copy("ios-2016/qstodoitem.sqlite")])
  }

  /// Reads a bundle with the bytes as its manifest.
  func readManifest(_ bytes: [UInt8]) {
    let bundle = scratch.folder + "/bundle"
    if !FileManager.default.fileExists(atPath: bundle) {
      run(["export", "-q", copy("ios-2016/qstodoitem.sqlite"), "--to", "json", "-o", bundle])
    }
    scratch.write(bytes, to: "bundle/manifest.json")
    run(["hash", bundle])
  }

  /// A fresh copy of a sample's file.
  private func copy(_ name: String) -> String {
    let bytes = FileManager.default.contents(atPath: Self.samples + "/" + name) ?? Data()
    return scratch.write(Array(bytes), to: "store")
  }

  /// Runs one command to its end; its exit code must not tell of a mistake of ours.
  @discardableResult
  private func run(_ arguments: [String]) -> Int32 {
    let done = DispatchSemaphore(value: 0)
    let folder = scratch.folder
    let result = Atomic<Int32>(0)
    Task.detached {
      let code = await RehomeCommand.run(
        arguments, console: .silent, temporaryFolder: folder)
      precondition(code != 70, "an internal error in \(arguments)")
      result.store(code, ordering: .relaxed)
      done.signal()
    }
    done.wait()
    return result.load(ordering: .relaxed)
  }
}
