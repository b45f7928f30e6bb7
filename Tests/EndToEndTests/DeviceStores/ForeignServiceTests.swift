import TestSupport
import Testing

/// Stores whose service spoke what is not spoken here are never sent to a server.
struct ForeignServiceTests {
  @Test(arguments: [
    ("amplify-ios-2024/TodoApp.db", "AppSync"), ("parse-android-2016/ParseOfflineStore", "Parse"),
    ("watermelon-2024/watermelon.db", "WatermelonDB"), ("powersync-2025/todos.sqlite", "PowerSync"),
  ])
  func serverIsRefusedByTheNameOfTheProtocol(sample: String, name: String) async throws {
    let folder = try TemporaryFolder()
    let outcome = await rehome(
      "replay", Project.path("samples/\(sample)"), "--to", "https://example.invalid", "--dry-run",
      "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(name))
    #expect(outcome.error.contains("rehearse with --to STORE"))
    #expect(folder.names.isEmpty)
  }
}
