import Foundation
import TestSupport
import Testing

/// A library that makes one system call of the tool fail, compiled from `Tests/Oracles/faults`.
struct Faults: Sendable {
  /// Where the compiled library is.
  let library: String
  /// Kept for as long as the library is needed.
  private let folder: TemporaryFolder

  /// The library; nil where there is no C compiler.
  static let shared = try? Faults()

  private init() throws {
    folder = try TemporaryFolder()
    library = folder.path("faults.so")
    let source = Project.path("Tests/Oracles/faults/faults.c")
    let outcome = try SystemProgram(name: "cc").run(
      ["-O1", "-shared", "-fPIC", "-o", library, source], input: "")
    try #require(outcome.code == 0, "\(outcome.complaints)")
  }

  /// What a call does instead of what it should do.
  enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case noSpace, inputOutput, noQuota, noAccess, kill

    /// The number for the library; 0 ends the process.
    var number: Int32 {
      switch self {
      case .noSpace: ENOSPC
      case .inputOutput: EIO
      case .noQuota: EDQUOT
      case .noAccess: EACCES
      case .kill: 0
      }
    }

    var testDescription: String { rawValue }

    /// Whether the fault is tried at a call: each call gets one of the errors, and a kill.
    func isTried(at call: Int) -> Bool {
      self == .kill || call % 4 == Self.allCases.firstIndex(of: self)
    }
  }

  /// The calls that change something.
  ///
  /// Without `unlink`: nothing can make up for a file that cannot be removed.
  static let calls = "open,write,pwrite,fsync,ftruncate,rename,link,mkdir,chmod"

  /// The calls that need room on the disk.
  static let callsForRoom = "write,pwrite,mkdir"

  /// Runs the tool and counts its calls.
  func count(
    _ arguments: [String], copies: String, calls: String = Self.calls
  ) async throws -> Int {
    let path = folder.path(UUID().uuidString)
    let outcome = try await run(
      arguments, ["TMPDIR": copies, "FAULT_COUNT": path, "FAULT_CALLS": calls])
    try #require(outcome.code == 0, "\(outcome.error)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try #require(Int(text.trimmingCharacters(in: .newlines)))
  }

  /// Runs the tool with a fault at the call with this number.
  func run(
    _ arguments: [String], copies: String, _ fault: Fault, at call: Int,
    calls: String = Self.calls
  ) async throws -> Outcome {
    try await run(
      arguments,
      [
        "TMPDIR": copies, "FAULT_AT": String(call), "FAULT_ERRNO": String(fault.number),
        "FAULT_CALLS": calls,
      ])
  }

  private func run(_ arguments: [String], _ variables: [String: String]) async throws -> Outcome {
    try await Program.rehome.runApart(
      arguments, variables: variables.merging(["LD_PRELOAD": library]) { $1 })
  }
}
