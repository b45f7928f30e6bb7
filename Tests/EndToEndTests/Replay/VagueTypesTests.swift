import TestSupport
import Testing

/// A store that declares truth values, times and objects as it does numbers and texts.
struct VagueTypesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func preview(_ arguments: String...) async throws -> (bodies: String, said: String) {
    let outcome = await rehome(["replay", "--dry-run"] + arguments)
    #expect(outcome.code == 0, "\(outcome.error)")
    return (outcome.text, outcome.error)
  }

  private static let update = """
    ALTER TABLE note ADD COLUMN text TEXT; ALTER TABLE note ADD COLUMN done boolean;
    INSERT INTO note VALUES ('a', 1714558830500, 'AAE=', '{"k":[1]}', 1);
    INSERT INTO __operations VALUES (1, 'note', 'update', 'a', '{}');
    """

  @Test(arguments: [false, true])
  func whatIsSentAsItIsStoredIsToldOnce(isConverted: Bool) async throws {
    var store = try CordovaStore.make("device.db", in: folder, Self.update)
    if isConverted {
      let made = folder.path("made.rehome")
      #expect(await rehome("convert", "-q", store, "-o", made).code == 0)
      store = made
    }
    let (bodies, said) = try await preview(store)
    #expect(bodies.contains(#""n":1714558830500"#) && bodies.contains(#""done":true"#))
    #expect(said.contains("as which note.n, note.text are sent; --type "), "\(said)")
    #expect(said.split(separator: "\n").count == 1, "\(said)")
  }

  @Test func toldTypesAreSentAndNotToldAgain() async throws {
    let store = try CordovaStore.make("device.db", in: folder, Self.update)
    let first = try await preview(store, "--type", "note.n=timestamp")
    #expect(first.said.contains("as which note.text is sent; "), "\(first.said)")
    let (bodies, said) = try await preview(
      store, "--type", "note.n=timestamp", "--type", "note.text=json")
    #expect(bodies.contains(#""n":"2024-05-01T10:20:30.500Z""#), "\(bodies)")
    #expect(bodies.contains(#""text":{"k":[1]}"#), "\(bodies)")
    #expect(said.isEmpty, "\(said)")
  }

  /// A delete sends no values, and what is not sent needs no types.
  @Test func nothingIsToldWhereNoValueIsSent() async throws {
    let store = try CordovaStore.make(
      "device.db", in: folder,
      """
      INSERT INTO note VALUES ('a', 1, 'AAE=');
      INSERT INTO __operations VALUES (1, 'note', 'delete', 'b', '{"version":"AAE="}');
      """)
    #expect(try await preview(store).said.isEmpty)
  }

  /// The SDKs of other stores declare what they mean.
  @Test(arguments: [
    ("dotnet-2019", false), ("datasync-2023", false), ("toolkit-2025", false), ("ios-2016", false),
    ("android-2016", true), ("cordova-2017", true),
  ])
  func onlyVagueTypesAreTold(_ sample: String, isTold: Bool) async throws {
    let outcome = await rehome("replay", "--dry-run", Sample(name: sample).store())
    #expect(outcome.error.contains("truth values, times and objects") == isTold)
  }
}
