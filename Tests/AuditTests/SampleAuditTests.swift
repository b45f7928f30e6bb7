import Bytes
import Foundation
import Opening
import Records
import SQLite
import Testing

@testable import Audit

/// The samples are real-shaped stores, and their `expected` folder is written by another program.
struct SampleAuditTests {
  private static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("samples")

  /// Connections borrow it, so it lives as long as the process.
  private static let interruption = Interruption { false }

  @Test(arguments: ["ios-2014", "ios-2015", "ios-2016"])
  func reportHoldsWhatTheSampleExpects(sample: String) throws {
    let expected = try json(
      Data(contentsOf: Self.samples.appendingPathComponent("\(sample)/expected/audit-queue.json")))
    var bytes: [UInt8] = []
    let audit = try audit(sample)
    var report = AuditJSON { (piece) throws(StoreError) in bytes += piece }
    try report.add(audit)
    try report.finish()
    let actual = try json(Data(bytes))
    #expect(difference(actual, expected) == nil)
  }

  @Test(arguments: [
    ("ios-2014", ["error-conflict", "names-from-fallback"]),
    ("ios-2015", ["error-conflict", "several-operations-for-item"]),
    (
      "ios-2016",
      ["operation-without-row", "error-rejected", "error-conflict", "several-operations-for-item"]
    ),
  ])
  func sampleHasTheseFindingsAndNoOthers(sample: String, codes: [String]) throws {
    #expect(try audit(sample).findings.map(\.code) == codes)
  }

  @Test func conflictIsComparedFieldByField() throws {
    let audit = try audit("ios-2016")
    let fields = audit.queue.errors.compactMap(audit.differences).map { $0.map(\.field) }
    #expect(fields == [["complete", "updatedAt", "text", "version"]])
  }

  private func audit(_ sample: String) throws -> StoreAudit {
    let opening = StoreOpening(
      temporaryFolder: NSTemporaryDirectory(), interruption: Self.interruption)
    let path = Self.samples.appendingPathComponent("\(sample)/qstodoitem.sqlite").path
    return try StoreAudit(of: opening.reader(forStoreAt: path), now: .now) { _ in }
  }

  private func json(_ data: Data) throws -> Any { try JSONSerialization.jsonObject(with: data) }

  /// The first place where `actual` lacks what is expected; more members may stand beside them.
  private func difference(_ actual: Any?, _ expected: Any, at path: String = "") -> String? {
    switch (actual, expected) {
    case (let actual as [String: Any], let expected as [String: Any]):
      return expected.keys.sorted().lazy.compactMap { key in
        expected[key].flatMap { difference(actual[key], $0, at: "\(path)/\(key)") }
      }.first
    case (let actual as [Any], let expected as [Any]):
      guard actual.count == expected.count else { return "\(path): \(actual.count) elements" }
      return zip(actual, expected).enumerated().lazy.compactMap { index, pair in
        difference(pair.0, pair.1, at: "\(path)/\(index)")
      }.first
    case (let actual as NSObject, let expected as NSObject):
      return actual == expected ? nil : "\(path): \(actual)"
    default:
      return path
    }
  }
}
