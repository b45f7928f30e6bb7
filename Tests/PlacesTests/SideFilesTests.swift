import Testing

@testable import Places

/// Which files of a container belong to which, by their names.
struct SideFilesTests {
  /// Where Parse keeps what the server has called an object.
  @Test(arguments: [
    ("app/LocalId/local_00ff", true), ("LocalId/local_1", true), ("app/LocalId/other", false),
    ("app/local_1", false), ("app/OtherId/local_1", false),
  ])
  func fileOfALocalIDIsKnownByItsName(_ path: String, isOne: Bool) {
    #expect(SideFiles.isLocalID(path) == isOne)
  }

  private static let external = "d/.q_SUPPORT/_EXTERNAL_DATA/"

  private func file(_ path: String, _ kind: FileKind = .counted(.otherFile)) -> ContainedFile {
    ContainedFile(path: path, kind: kind, size: 1, place: 0)
  }

  @Test func filesGoWithTheirStoreAndOthersAreLeft() {
    let store = file("d/q.sqlite", .database)
    let sides = SideFiles([
      store, file("d/q.sqlite-wal"), file(Self.external + "A"), file(Self.external + "B"),
      file("d/r.sqlite-wal"), file("e/.q_SUPPORT/_EXTERNAL_DATA/C"), file("d/text"),
    ])
    #expect(
      sides.belonging(to: store).map { $0.name(beside: "s.db") } == [
        "s.db-wal", ".s_SUPPORT/_EXTERNAL_DATA/A", ".s_SUPPORT/_EXTERNAL_DATA/B",
      ])
    #expect(
      sides.left.map(\.path) == ["d/r.sqlite-wal", "e/.q_SUPPORT/_EXTERNAL_DATA/C"])
  }

  /// A database or an archive is a value only of a store that claims the folder.
  @Test(arguments: ["d/q.sqlite", "d/q.xml", "d/r.sqlite", "q.sqlite", "d/q.zip", "d/q.json"])
  func valuesOutsideAreThoseOfAStore(_ store: String) {
    let kinds: [String: FileKind] = ["xml": .xmlStore, "zip": .zip, "json": .document]
    let kind = kinds[String(store.suffix(3))] ?? kinds[String(store.suffix(4))] ?? .database
    let name = Self.external + "0F2E3B4C-1111-2222-3333-444455556661"
    var files = [file(store, kind), file(name, .database), file(name + ".gz", .gzip)]
    files.tellValuesOutside()
    let isClaimed = ["d/q.sqlite", "d/q.xml"].contains(store)
    #expect(files.map(\.kind.isInteresting) == [true, !isClaimed, true])
  }

  /// A backup may have a hundred thousand of them, of which each is held several times.
  @Test func sideFileTakesLittleRoom() {
    #expect(MemoryLayout<ContainedFile>.stride <= 88)
    #expect(MemoryLayout<SideFile>.stride <= 104)
  }
}
