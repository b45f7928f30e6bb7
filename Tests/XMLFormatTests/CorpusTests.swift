import Testing

struct CorpusTests {
  @Test(arguments: [
    ("xml/accept", "xml"), ("xml/reject", "xml"), ("xml/accept-doctype", "xml"),
    ("xml/reject-doctype", "xml"), ("plist/accept", "plist"), ("plist/reject", "plist"),
  ])
  func folderHasFixtures(folder: String, suffix: String) {
    #expect(!Fixture.all(in: folder, extension: suffix).isEmpty)
  }
}
