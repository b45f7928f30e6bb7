import TestSupport
import Testing

/// What SDKs keep without SQLite is called by its name, and refused with what would help.
struct ForeignEngineTests {
  @Test(arguments: [
    (
      #"{"@AmplifyDatastore::user::Data::Post":"[]","@AmplifyDatastore::Version":null}"#,
      "manifest.json", "AsyncStorage"
    ),
    (#"{"Parse_LDS_Game_abc":"[]"}"#, "manifest.json", "AsyncStorage"),
    ("MANIFEST-000004\n", "CURRENT", "LevelDB"),
  ])
  func engineIsNamed(content: String, name: String, word: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(content.utf8), to: name)
    let outcome = await rehome("inspect", path)
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(word))
    #expect(outcome.error.contains("try: "))
  }
}
