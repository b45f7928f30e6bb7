import Bytes
import Foundation
import Testing

struct FolderListingTests {
  private func withFolder(_ names: [String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    for name in names { try Data().write(to: folder.appending(path: name)) }
    try body(folder.path)
  }

  @Test func namesComeInByteOrderWithHiddenOnes() throws {
    try withFolder(["b", "a", ".hidden", "ä", "B"]) { path in
      let names = try fileNames(inFolder: path, limit: 10)
      #expect(names == [".hidden", "B", "a", "b", "ä"])
    }
  }

  @Test func emptyFolderHasNoNames() throws {
    try withFolder([]) { path in
      let names = try fileNames(inFolder: path, limit: 0)
      #expect(names.isEmpty)
    }
  }

  @Test func moreNamesThanTheLimitAreAnError() throws {
    try withFolder(["a", "b"]) { path in
      let names = try fileNames(inFolder: path, limit: 2)
      #expect(names.count == 2)
      #expect(throws: FileError.self) { _ = try fileNames(inFolder: path, limit: 1) }
    }
  }

  @Test(arguments: ["/nowhere/at/all", "/etc/passwd", "a\0b"])
  func whatIsNoFolderIsAnError(path: String) {
    #expect(throws: FileError.self) { _ = try fileNames(inFolder: path, limit: 10) }
  }
}
