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

  /// A database (`d`) and its logs (`w`) in the order in which an archive got them, the last of them whole
  /// or cut (`!`); and the places of what is read.
  @Test(arguments: [
    ("dw", [0, 1]), ("dwd", [2]), ("wdd", [2]), ("dwdw", [2, 3]), ("wdwd", [2, 3]), ("dwwd", [3]),
    ("dww", [0, 2]), ("wdw", [1, 2]), ("ddw", [1, 2]), ("ddww", [1, 3]), ("dwwdw", [3, 4]),
    ("wdwdd", [4]), ("dwd!", [0, 1, 2]), ("dwdw!", [2, 3]), ("dwdd!", [2, 3]),
  ]) func logGoesWithTheFileThatItCameWith(order: String, left: [Int]) {
    var listing = TarListing()
    let files = Self.files(order)
    for file in files { listing.add(file) }
    if order.hasSuffix("!") { listing.brokenPlace = files.count - 1 }
    #expect(listing.files(PlaceTally(of: "a.tar")).map(\.place) == left)
  }

  @Test(arguments: [
    ("dwd", [0, 0, 1]), ("wdd", [0, 0, 1]), ("dwwd", [0, 2, 0, 1]), ("wdwd", [0, 0, 1, 1]),
    ("ddww", [0, 1, 0, 1]), ("dww", [0, 1, 0]), ("wddw", [0, 0, 1, 1]), ("ww", [0, 1]),
  ]) func layerOfALogIsThatOfItsFile(order: String, layers: [Int]) {
    #expect(MemberLayers.numbers(of: Self.files(order)) == layers)
  }

  private static func files(_ order: String) -> [ContainedFile] {
    order.filter(\.isLetter).enumerated().map { place, letter in
      letter == "d"
        ? ContainedFile(path: "a.db", kind: .database, size: 4096, place: place)
        : ContainedFile(path: "a.db-wal", kind: .counted(.sideFile), size: 4096, place: place)
    }
  }
}
