import Foundation
import TestSupport
import Testing

/// A delete whose payload is that of another item deletes neither.
struct OtherItemTests {
  @Test func deleteIsHeldBackAndTold() async throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.make(
      in: folder,
      """
      UPDATE ZMS_TABLEOPERATIONS
      SET ZPROPERTIES = CAST('{"type":2,"item":{"id":"another","ms_version":"v"}}' AS BLOB)
      WHERE Z_PK = (SELECT max(Z_PK) FROM ZMS_TABLEOPERATIONS);
      """)
    let plan = try await rehome("replay", "--dry-run", "--json", store).json()
    let held = try #require(plan["held"] as? [[String: any Sendable]])
    #expect(held.contains { $0["reason"] as? String == "unreadable" })
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    #expect(!steps.contains { $0["condition"] as? String == "\"v\"" })
    #expect(await rehome("audit", store).text.contains("the payload is that of another item"))
  }
}
