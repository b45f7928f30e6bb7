import Foundation
import Glibc
import TestSupport
import Testing

@testable import Bytes

struct StagedFileTests {
  private func fill(_ path: String, _ text: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test(arguments: [false, true])
  func destinationAppearsOnlyWhenPublished(_ replacing: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try StagedFile(for: folder.path("out"), replacing: replacing)
    try fill(file.temporaryPath, "new")
    #expect(folder.names == [Paths.fileName(of: file.temporaryPath)])
    try file.publish()
    #expect(folder.names == ["out"])
    #expect(folder.text("out") == "new")
  }

  @Test func temporaryNameIsHiddenAndReserved() throws {
    let folder = try TemporaryFolder()
    let file = try StagedFile(for: folder.path("out.db"), replacing: false)
    let name = Paths.fileName(of: file.temporaryPath)
    #expect(name.wholeMatch(of: /\.out\.db\.[0-9a-f]{1,16}\.rehome-part/) != nil)
    #expect(Paths.folder(of: file.temporaryPath) == folder.path)
    var status = stat()
    #expect(unsafe stat(file.temporaryPath, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func unpublishedFileDisappearsWithItsSideFiles() throws {
    let folder = try TemporaryFolder()
    do {
      let file = try StagedFile(for: folder.path("out"), replacing: false)
      for ending in ["", "-journal", "-wal", "-shm"] { try fill(file.temporaryPath + ending, "x") }
      #expect(folder.names.count == 4)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func existingDestinationIsKeptUnlessReplacing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "out")
    #expect(throws: FileError(operation: "create", path: path, errno: EEXIST)) {
      try StagedFile(for: path, replacing: false).publish()
    }
    #expect(folder.text("out") == "old")
    try StagedFile(for: path, replacing: true).publish()
    #expect(folder.text("out") == "")
  }

  /// Whoever has locked a file would go on with one that has lost its name.
  @Test(arguments: [false, true])
  func fileThatSomebodyWorksWithIsKept(sinceTheStart: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("theirs", to: "out")
    let error = #expect(throws: FileError.self) {
      let early = sinceTheStart ? try FileLock.take(on: path) : nil
      let file = try StagedFile(for: path, replacing: true)
      let late = try FileLock.take(on: path)
      _ = try FileLock.take(onReplaced: folder.path("none"))
      try file.publish()
      _ = consume early
      _ = consume late
    }
    #expect(error?.kind == .temporary)
    #expect(error?.hint == "wait until it is done, and run again")
    #expect(folder.text("out") == "theirs")
    #expect(folder.names == ["out"])
    try StagedFile(for: path, replacing: true).publish()
    #expect(folder.text("out") == "")
  }

  @Test func destinationThatAppearsMeanwhileIsKept() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileError.self) {
      let file = try StagedFile(for: folder.path("out"), replacing: false)
      try folder.write("theirs", to: "out")
      try file.publish()
    }
    #expect(error?.code == .exists)
    #expect(folder.text("out") == "theirs")
    #expect(folder.names == ["out"])
  }

  @Test func replacedDatabaseLosesItsSideFiles() throws {
    let folder = try TemporaryFolder()
    for name in ["out", "out-wal", "out-journal", "out-shm"] { try folder.write("old", to: name) }
    try StagedFile(for: folder.path("out"), replacing: true).publish()
    #expect(folder.names == ["out"])
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func strangeSideFileBlocksANewDatabase(_ ending: String) throws {
    let folder = try TemporaryFolder()
    let side = try folder.write("theirs", to: "out" + ending)
    #expect(throws: FileError(operation: "create", path: side, errno: EEXIST)) {
      try StagedFile(for: folder.path("out"), replacing: false).publish()
    }
  }

  @Test func foldersAndDevicesAreNeverReplaced() throws {
    let folder = try TemporaryFolder()
    let errors = [folder.path, "/dev/null"].map { path in
      #expect(throws: FileError.self) { try StagedFile(for: path, replacing: true).publish() }
    }
    #expect(errors.map { $0?.code } == [.isDirectory, .notAFile])
    // The name of a folder is refused before anything is written, whether or not it is there.
    let named = #expect(throws: FileError.self) {
      try StagedFile.check(folder.path("none/"), replacing: false)
    }
    #expect(named?.code == .isDirectory)
  }

  @Test(arguments: ["", "/", ".", "..", "a\0b"])
  func namesThatAreNoneAreErrors(_ name: String) {
    #expect(throws: FileError.self) { try StagedFile(for: name, replacing: true).publish() }
  }

  @Test func longNamesStillFit() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "ü", count: 127)
    try StagedFile(for: folder.path(name), replacing: false).publish()
    #expect(folder.names == [name])
  }

  @Test func withoutExclusiveRenamingALinkIsExclusiveToo() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write("new", to: "old")
    try linkFile(old, to: folder.path("out"))
    #expect(folder.names == ["out"])
    let second = try folder.write("second", to: "old")
    let error = #expect(throws: FileError.self) { try linkFile(second, to: folder.path("out")) }
    #expect(error?.code == .exists)
    #expect(folder.text("out") == "new")
  }
}
