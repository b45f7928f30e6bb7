import Foundation
import TestSupport
import Testing

/// What is known of operations does not depend on what a person calls their tables.
struct RenamedTablesTests {
  private static let facts = """
    SELECT "table", "itemId", kind, state, "baseVersion", "rowKey", "rowTable", item
    FROM rehome_operation UNION ALL
    SELECT 'finding', code, "table", "itemId", operation, severity, NULL, NULL FROM rehome_finding
    UNION ALL
    SELECT 'error', "table", "itemId", kind, operation, status, code, NULL FROM rehome_error
    UNION ALL SELECT 'token', "table", query, "updatedAt", NULL, NULL, NULL, NULL FROM rehome_token
    ORDER BY 1, 2, 3, 4, 5, 6
    """

  @Test(arguments: Sample.all) func queueIsTheSame(_ sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let (plain, renamed) = (folder.path("plain.rehome"), folder.path("renamed.rehome"))
    _ = await rehome("convert", "-q", sample.store(), "-o", plain)
    let tables = try Devices.query(plain, "SELECT name FROM rehome_table").split(separator: "\n")
    for table in tables {
      let name = "Zz\(table)zZ"
      let outcome = await rehome(
        "convert", "-qf", sample.store(), "-o", renamed, "--rename", "\(table)=\(name)")
      // Some stores take no corrections, and say so.
      guard outcome.code != 64 else { continue }
      let found = try Devices.query(renamed, Self.facts)
      let expected = try Devices.query(plain, Self.facts)
      #expect(lines(found) == lines(expected), "\(table)")
    }
  }

  /// The lines in which renamed tables have their old names again.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.replacing(/Zz(\w+?)zZ/) { $0.output.1 }) }.sorted()
  }
}
