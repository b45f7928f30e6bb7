import Testing

struct CorpusTests {
  @Test(arguments: [
    ("json/accept", "json"), ("json/reject", "json"), ("plist/accept", "plist"),
    ("plist/reject", "plist"), ("archive/accept", "plist"), ("archive/reject", "plist"),
    ("archive/not-plain", "plist"), ("csv/accept", "csv"), ("csv/reject", "csv"),
  ])
  func folderHasFixtures(folder: String, suffix: String) {
    #expect(!Fixture.all(in: folder, extension: suffix).isEmpty)
  }
}
