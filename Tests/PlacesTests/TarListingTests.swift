import Testing

@testable import Places

struct TarListingTests {
  /// Of media there may be a million, of which nothing is kept but what shows that one is a database.
  @Test(arguments: [false, true])
  func unknownFilesAreKeptOnlyWhereTheyMayBeDatabases(sideFileIsFirst: Bool) {
    var listing = TarListing()
    let sideFile = ContainedFile(
      path: "chat-journal", kind: .counted(.emptyFile), size: 0, place: 0)
    if sideFileIsFirst { listing.add(sideFile, time: 0) }
    let names = ["photo.heic", "chat", "a.db", "media.bin"]
    for (number, name) in names.enumerated() {
      let file = ContainedFile(path: name, kind: .unknown, size: 4096, place: number + 1)
      listing.add(file, time: 0)
    }
    if !sideFileIsFirst { listing.add(sideFile, time: 0) }
    let files = listing.files(PlaceTally(of: "a.tar"))
    #expect(files.map(\.path).sorted() == ["a.db", "chat", "chat-journal"])
    #expect(files.first { $0.path == "chat" }?.kind == .unknown)
  }

  /// A database (`d`) and its logs (`w`) in the order in which an archive got them, the last of them whole
  /// or cut (`!`); and the places of what is read.
  @Test(arguments: [
    ("dw", [0, 1]), ("dwd", [2]), ("wdd", [2]), ("dwdw", [2, 3]), ("wdwd", [2, 3]),
    ("dwwd", [2, 3]),
    ("dww", [0, 2]), ("wdw", [1, 2]), ("ddw", [1, 2]), ("ddww", [1, 3]), ("dwwdw", [3, 4]),
    ("wdwdd", [4]), ("dwd!", [0, 1, 2]), ("dwdw!", [2, 3]), ("dwdd!", [2, 3]),
    ("dwwd!", [0, 1, 3]),
  ]) func logGoesWithTheFileThatItCameWith(order: String, left: [Int]) {
    #expect(Self.left(of: order, [0, 0, 0, 0, 0]) == left)
  }

  /// The same with the times at which each was changed.
  @Test(arguments: [
    ("dwd", [1, 2, 3], [2]), ("dwd", [1, 2, 2], [2]), ("dwd", [1, 2.25, 2], [1, 2]),
    ("wdd", [3, 1, 2], [0, 2]), ("dwwd", [1, 2, 3, 4], [3]), ("dwwd", [1, 2, 4, 3], [2, 3]),
    ("wdwd", [2, 1, 4, 3], [2, 3]), ("wdwd", [1, 2, 3, 4], [2, 3]),
    ("dwdw", [1, 9, 3, 2], [2, 3]),
    ("dwdwd", [1, 2, 3, 5, 4], [3, 4]), ("dwdwd", [1, 2, 3, 4, 5], [4]),
    ("dwd!", [1, 3, 2], [0, 1, 2]), ("dwwd!", [1, 2, 4, 3], [0, 1, 3]),
  ]) func newerLogInFrontOfAFileIsOfThat(order: String, times: [Double], left: [Int]) {
    #expect(Self.left(of: order, times) == left)
  }

  private static func left(of order: String, _ times: [Double]) -> [Int] {
    var listing = TarListing()
    let files = files(order)
    for (file, time) in zip(files, times) { listing.add(file, time: time) }
    if order.hasSuffix("!") { listing.brokenPlace = files.count - 1 }
    return listing.files(PlaceTally(of: "a.tar")).map(\.place)
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
