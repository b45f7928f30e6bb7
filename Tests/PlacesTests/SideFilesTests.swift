import Testing

@testable import Places

/// Which files of a container belong to which, by their names.
struct SideFilesTests {
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

  /// A backup may have a hundred thousand of them, of which each is held several times.
  @Test func sideFileTakesLittleRoom() {
    #expect(MemoryLayout<ContainedFile>.stride <= 88)
    #expect(MemoryLayout<SideFile>.stride <= 104)
  }
}
