import Testing

@testable import Places

struct TarListingTests {
  /// Of media there may be a million, of which nothing is kept but what shows that one is a database.
  @Test(arguments: [false, true])
  func unknownFilesAreKeptOnlyWhereTheyMayBeDatabases(sideFileIsFirst: Bool) {
    var listing = TarListing()
    let sideFile = ContainedFile(
      path: "chat-journal", kind: .counted(.emptyFile), size: 0, place: 0)
    if sideFileIsFirst { listing.add(sideFile) }
    let names = ["photo.heic", "chat", "a.db", "media.bin"]
    for (number, name) in names.enumerated() {
      listing.add(ContainedFile(path: name, kind: .unknown, size: 4096, place: number + 1))
    }
    if !sideFileIsFirst { listing.add(sideFile) }
    let files = listing.files(PlaceTally(of: "a.tar"))
    #expect(files.map(\.path).sorted() == ["a.db", "chat", "chat-journal"])
    #expect(files.first { $0.path == "chat" }?.kind == .unknown)
  }
}
