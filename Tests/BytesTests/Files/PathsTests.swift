import Bytes
import Foundation
import TestSupport
import Testing

struct PathsTests {
  @Test(arguments: [
    ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b/c.txt", "/a/b", "c.txt"),
    ("a/b/", "a", "b"), ("a//b", "a", "b"), ("/", "/", ""), ("//", "/", ""), ("", ".", ""),
    ("./x", ".", "x"), ("../x/", "..", "x"), ("a/\u{301}b", "a", "\u{301}b"),
  ])
  func pathsComeApartAtTheLastSlash(_ path: String, _ folder: String, _ name: String) {
    #expect(Paths.folder(of: path).utf8.elementsEqual(folder.utf8))
    #expect(Paths.fileName(of: path).utf8.elementsEqual(name.utf8))
  }

  @Test(arguments: [
    ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("", "b", "b"), ("a", "/b", "a//b"),
  ])
  func namesEndUpInsideTheFolder(_ folder: String, _ name: String, _ path: String) {
    #expect(Paths.join(folder, name) == path)
  }

  @Test(arguments: [
    (["a.csv", "b.csv"], ["a.csv", "b.csv"]), (["d/a.csv", "e/b.csv"], ["a.csv", "b.csv"]),
    (["d1/T.csv", "d2/T.csv", "x/U.csv"], ["d1/T.csv", "d2/T.csv", "U.csv"]),
    (["/a/d/T.csv", "/b/d/T.csv"], ["a/d/T.csv", "b/d/T.csv"]),
    (["T.csv", "d/T.csv"], ["T.csv", "d/T.csv"]),
    (["d/T.csv", "d/T.csv"], ["T.csv", "T.csv (2)"]),
    (["/d/q.db", "/d/q.db-wal"], ["q.db", "q.db-wal"]),
  ])
  func filesOfOneNameAreCalledByTheirPaths(_ paths: [String], _ names: [String]) {
    #expect(Paths.distinctNames(of: paths) == names)
  }

  @Test func nameThatWasGivenStays() {
    let paths = ["/t/1.db", "/t/1.db-wal", "/u/q.db"]
    #expect(Paths.distinctNames(of: paths, first: "q.db") == ["q.db", "q.db-wal", "u/q.db"])
  }

  @Test func equalLookingNamesStayDifferent() {
    #expect(!Paths.join("x", "e\u{301}").utf8.elementsEqual(Paths.join("x", "\u{E9}").utf8))
  }

  @Test func danglingLinksTakeAName() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    #expect(Paths.exists(link))
    #expect(!Paths.exists(folder.path("nowhere")))
    #expect(!Paths.isDirectory(link))
  }

  @Test func namesOfOpenFilesAreKnownThroughLinks() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "other")
    #expect(!Paths.isOpenFile(link))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("other"), withDestinationPath: "/proc/self/fd/1")
    for path in [link, folder.path("other"), "/dev/stdout", "/dev/fd/1", "/proc/self/fd/9"] {
      #expect(Paths.isOpenFile(path), "\(path)")
    }
    for path in [folder.path("file"), folder.path("no/file"), "/dev/shm/x", "x", "", "/"] {
      #expect(!Paths.isOpenFile(path), "\(path)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("circle"), withDestinationPath: "circle")
    #expect(!Paths.isOpenFile(folder.path("circle")))
  }

  @Test func linksToFoldersAreFolders() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(Paths.isDirectory(link))
    #expect(Paths.isDirectory(folder.path))
    #expect(!Paths.isDirectory(try folder.write("", to: "file")))
  }
}
