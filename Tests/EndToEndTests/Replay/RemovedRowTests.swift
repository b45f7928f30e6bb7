import Foundation
import TestSupport
import Testing

/// What a rehearsal removes from its target stays gone, and nothing else takes its place.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RemovedRowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two conversions, of which the first is replayed into the second.
  private func replay(_ device: String, into target: String) async throws -> String {
    let stores = try [("device", device), ("target", target)].map { name, statements in
      (try CordovaStore.make(name + ".db", in: folder, statements), folder.path(name + ".rehome"))
    }
    for (source, store) in stores {
      _ = await rehome("convert", "-q", source, "-o", store)
    }
    let outcome = await rehome("replay", stores[0].1, "--to", stores[1].1)
    #expect(outcome.code == 0, "\(outcome.error)")
    return stores[1].1
  }

  private static let deleteAndInsert = """
    INSERT INTO note VALUES ('z', 99, NULL);
    INSERT INTO __operations VALUES (1, 'note', 'delete', 'y', '{"version":"V"}'),
      (2, 'note', 'insert', 'z', '{}');
    """

  @Test func ownUpdateOfTheTargetSendsNoOtherItem() async throws {
    let target = try await replay(
      Self.deleteAndInsert,
      into: """
        INSERT INTO note VALUES ('y', 1, 'V');
        INSERT INTO __operations VALUES (1, 'note', 'update', 'y', '{"version":"V"}');
        """)
    let rows = try Devices.query(
      target,
      """
      SELECT _pk, id FROM note UNION ALL SELECT sequence, ifnull(rowKey, 'gone') FROM rehome_operation
      """)
    #expect(rows == "2|z\n1|gone\n")
    let audit = await rehome("audit", "--json", target)
    #expect(audit.code == 2)
    #expect(audit.text.contains("operation-without-row"))
  }

  @Test func valueThatCouldNotBeReadIsOfNoOtherItem() async throws {
    let target = try await replay(
      Self.deleteAndInsert, into: "INSERT INTO note VALUES ('y', 'many', 'V')")
    #expect(try Devices.query(target, "SELECT count(*) FROM rehome_reject") == "0\n")
  }

  @Test func referenceGoesOnDangling() async throws {
    let authors = try folder.write(#"[{"id":"y","name":"Ann"}]"#, to: "note.json")
    let posts = try folder.write(#"[{"id":"p","noteId":"y"}]"#, to: "post.json")
    let target = folder.path("target.rehome")
    _ = await rehome(
      "seed", "-q", authors, posts, "--reference", "post.noteId=note", "-o", target)
    let device = try CordovaStore.make(
      "device.db", in: folder,
      """
      ALTER TABLE note ADD COLUMN name TEXT;
      INSERT INTO note VALUES ('z', NULL, NULL, 'Bob');
      INSERT INTO __operations VALUES (1, 'note', 'delete', 'y', '{}'), (2, 'note', 'insert', 'z', '{}');
      """)
    let store = folder.path("device.rehome")
    _ = await rehome("convert", "-q", device, "-o", store)
    let outcome = await rehome("replay", "--dynamic-schema", store, "--to", target)
    #expect(outcome.code == 0, "\(outcome.error)")
    let rows = try Devices.query(
      target, "SELECT _pk, id FROM note UNION SELECT noteId, id FROM post")
    #expect(rows == "1|p\n2|z\n")
    #expect(await rehome("audit", target).text.contains("dangling-reference"))
  }
}
