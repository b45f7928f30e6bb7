import Bytes
import Foundation
import Records
import Testing

@testable import Commands

/// What a command saw of a store counts only if the store stayed as it was.
struct StoreRoundTests {
  private let fixture: ExportFixture
  private let store: String

  init() throws {
    fixture = try ExportFixture()
    store = try fixture.sample("ios-2016")
  }

  /// What comes of the store when a look at it changes a file beside it, and ends with an error.
  private func kind(changing: Bool, _ error: FailureKind?) throws -> FailureKind? {
    let file = store + "-journal"
    var round = try StoreRound(try Session(silent: ["find", store]), "PLACE")
    var kind: FailureKind?
    try round.run(
      { (reader, turn) throws(StoreError) in
        if changing { _ = FileManager.default.createFile(atPath: file, contents: Data([1])) }
        if let error { throw StoreError(error, "it looks so") }
        return (
          (),
          StoreFacts(reader.source, bytes: turn.bytes, rows: 0, queue: Queue(), findings: [])
        )
      },
      { (seen) throws(StoreError) in kind = seen.error?.kind })
    return kind
  }

  @Test(arguments: [nil, .damaged, .missing, .inputOutput, .internalError] as [FailureKind?])
  func changeIsTheError(_ error: FailureKind?) throws {
    #expect(try kind(changing: true, error) == .temporary)
  }

  @Test(arguments: [nil, .damaged, .missing, .inputOutput, .notPermitted] as [FailureKind?])
  func errorOfAStoreAtRestHolds(_ error: FailureKind?) throws {
    #expect(try kind(changing: false, error) == error)
  }

  @Test func whatIsTrueMeanwhileIsTold() throws {
    #expect(try kind(changing: true, .noSpace) == .noSpace)
  }
}
