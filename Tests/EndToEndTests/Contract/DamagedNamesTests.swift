import Foundation
import TestSupport
import Testing

/// Names in a canonical store that are no text name nothing, and are told: repaired, they would name
/// something else.
struct DamagedNamesTests {
  private let folder: TemporaryFolder
  private let store: String

  init() async throws {
    folder = try TemporaryFolder()
    store = folder.path("items.rehome")
    #expect(await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store).code == 0)
  }

  private func damage(_ table: String, _ column: String) throws {
    try Devices.execute(
      store,
      """
      UPDATE rehome_\(table) SET "\(column)" = CAST(x'41ff' AS TEXT) WHERE rowid = 1
      """)
  }

  /// What an audit of a store tells of texts.
  private func told(of store: String) async throws -> [String] {
    let report = try await rehome("audit", "--json", store).json()
    let stores = try #require(report["stores"] as? [[String: Any]])
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    return findings.filter { $0["code"] as? String == "invalid-text" }
      .compactMap { $0["message"] as? String }
  }

  @Test(arguments: [
    ("operation", "itemId", "the item's id"), ("operation", "table", "the table"),
    ("operation", "originalId", "the SDK's own id"), ("operation", "baseVersion", "the version"),
    ("operation", "rowTable", "the table of the row"),
    ("error", "itemId", "the item's id of error 1"), ("error", "table", "the table of error 1"),
    ("token", "query", "the query of token 1"), ("token", "table", "the table of token 1"),
  ])
  func damagedNameIsToldAndNamesNothing(table: String, column: String, what: String) async throws {
    #expect(try await told(of: store).isEmpty)
    try damage(table, column)
    let expected = ["\(what), of 2 bytes, is not UTF-8 and names nothing"]
    #expect(try await told(of: store) == expected)
    // What a store told stays told.
    let again = folder.path("again.rehome")
    #expect([0, 2].contains(await rehome("convert", "-q", store, "-o", again).code))
    #expect(try await told(of: again) == expected)
    let kept = try Devices.query(
      again, #"SELECT quote("\#(column)") FROM rehome_\#(table) WHERE rowid = 1"#)
    // Under no version at all, anything would be overwritten.
    #expect(kept == (column == "baseVersion" ? "'A\u{FFFD}'\n" : "NULL\n"))
  }
}
