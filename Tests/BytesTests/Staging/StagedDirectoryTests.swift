import Foundation
import Glibc
import TestSupport
import Testing

@testable import Bytes

struct StagedDirectoryTests {
  /// A staged folder with one file, `name`.
  private func staged(
    _ destination: String, replacing: Bool, _ name: String
  ) throws -> StagedDirectory {
    var directory = try StagedDirectory(for: destination, replacing: replacing)
    var file = try OutputFile(creating: directory.path(forFile: name))
    try file.write(Array(name.utf8).span)
    try file.close()
    return directory
  }

  @Test(arguments: [false, true])
  func destinationAppearsOnlyWhenPublished(_ replacing: Bool) throws {
    let folder = try TemporaryFolder()
    let directory = try staged(folder.path("out"), replacing: replacing, "new")
    #expect(folder.names == [Paths.fileName(of: directory.temporaryPath)])
    try directory.publish()
    #expect(folder.names == ["out"])
    #expect(folder.text("out/new") == "new")
  }

  @Test func unpublishedFolderDisappearsWithAllItsFiles() throws {
    let folder = try TemporaryFolder()
    do {
      let directory = try staged(folder.path("out"), replacing: false, "new")
      let nested = Paths.join(directory.temporaryPath, "a/b")
      try FileManager.default.createDirectory(
        atPath: nested, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: nested + "/link", withDestinationPath: folder.write("mine", to: "outside"))
      #expect(folder.names.count == 2)
    }
    #expect(folder.names == ["outside"])
    #expect(folder.text("outside") == "mine")
  }

  @Test func existingFolderIsKeptUnlessReplacing() throws {
    let folder = try TemporaryFolder()
    try staged(folder.path("out"), replacing: false, "old").publish()
    #expect(throws: FileError(operation: "create", path: folder.path("out"), errno: EEXIST)) {
      try staged(folder.path("out"), replacing: false, "new").publish()
    }
    #expect(folder.text("out/old") == "old")
    try staged(folder.path("out"), replacing: true, "new").publish()
    #expect(folder.names == ["out"])
    #expect(folder.text("out/old") == nil)
    #expect(folder.text("out/new") == "new")
  }

  @Test func folderThatAppearsMeanwhileIsKeptEvenWhenEmpty() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileError.self) {
      let directory = try staged(folder.path("out"), replacing: false, "new")
      try FileManager.default.createDirectory(
        atPath: folder.path("out"), withIntermediateDirectories: false)
      try directory.publish()
    }
    #expect(error?.code == .exists)
    #expect(folder.names == ["out"])
    #expect(folder.text("out/new") == nil)
  }

  @Test func fileIsNeverReplacedByAFolder() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("mine", to: "out")
    let error = #expect(throws: FileError.self) {
      try StagedDirectory(for: path, replacing: true).publish()
    }
    #expect(error?.code == .exists)
    #expect(folder.text("out") == "mine")
  }

  @Test func folderThatCannotBeMadeIsToldByItsFinalName() throws {
    let path = try TemporaryFolder().path("none/out")
    #expect(throws: FileError(operation: "create", path: path, errno: ENOENT)) {
      try StagedDirectory(for: path, replacing: false).publish()
    }
  }

  @Test func withoutExchangeTheOldFolderStepsAside() throws {
    let folder = try TemporaryFolder()
    try staged(folder.path("a"), replacing: false, "new").publish()
    try staged(folder.path("b"), replacing: false, "old").publish()
    try exchangeFolders(folder.path("a"), folder.path("b"))
    #expect(folder.names == ["a", "b"])
    #expect(folder.text("b/new") == "new")
    #expect(folder.text("a/old") == "old")
  }

  @Test func failedExchangePutsTheOldFolderBack() throws {
    let folder = try TemporaryFolder()
    try staged(folder.path("b"), replacing: false, "old").publish()
    #expect(throws: FileError.self) {
      try exchangeFolders(folder.path("none"), folder.path("b"))
    }
    #expect(folder.names == ["b"])
    #expect(folder.text("b/old") == "old")
  }

  @Test func withoutExclusiveRenamingAnEmptyFolderIsStillKept() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    #expect(renameFolder(folder.path("a"), to: folder.path("b")) == EEXIST)
    #expect(renameFolder(folder.path("a"), to: folder.path("c")) == 0)
    #expect(folder.names == ["b", "c"])
  }
}
