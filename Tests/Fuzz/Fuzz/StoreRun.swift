import Commands
import Foundation
import SQLite

/// Whole commands on a file that holds the fuzzer's bytes, or on a sample that was given them.
final class StoreRun: Sendable {
  static let shared = StoreRun()

  private let scratch = ScratchFile.shared
  private let samples = ProcessInfo.processInfo.environment["REHOME_SAMPLES"] ?? "samples"

  /// Runs commands on a file with these bytes.
  func readFile(_ bytes: [UInt8], _ commands: [String]) {
    let path = scratch.write(bytes)
    for command in commands { run([command, path]) }
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
    let bytes = FileManager.default.contents(atPath: samples + "/" + name) ?? Data()
    return scratch.write(Array(bytes), to: "store")
  }

  /// Runs one command to its end; its exit code must not tell of a mistake of ours.
  private func run(_ arguments: [String]) {
    let done = DispatchSemaphore(value: 0)
    let folder = scratch.folder
    Task.detached {
      let code = await RehomeCommand.run(
        arguments, console: .silent, temporaryFolder: folder)
      precondition(code != 70, "an internal error in \(arguments)")
      done.signal()
    }
    done.wait()
  }
}
