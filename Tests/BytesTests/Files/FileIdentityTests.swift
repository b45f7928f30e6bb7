import Foundation
import TestSupport
import Testing

@testable import Bytes

struct FileIdentityTests {
  @Test func allNamesOfAFileHaveOneIdentity() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a", to: "file")
    try FileManager.default.linkItem(atPath: file, toPath: folder.path("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("soft"), withDestinationPath: file)
    let identity = try #require(FileIdentity(of: file))
    for name in ["hard", "soft", "./file"] {
      #expect(FileIdentity(of: folder.path(name)) == identity, "\(name)")
    }
  }

  @Test func equalFilesAreNotOneFile() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (try folder.write("a", to: "one"), try folder.write("a", to: "other"))
    #expect(FileIdentity(of: one) != FileIdentity(of: other))
  }

  @Test func nothingHasNoIdentity() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loose"), withDestinationPath: folder.path("nowhere"))
    #expect(FileIdentity(of: folder.path("nowhere")) == nil)
    #expect(FileIdentity(of: folder.path("loose")) == nil)
  }
}
