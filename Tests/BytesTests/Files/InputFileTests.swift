import Bytes
import Glibc
import TestSupport
import Testing

struct InputFileTests {
  @Test func readingAppendsUpToTheEnd() throws {
    let folder = try TemporaryFolder()
    var file = try InputFile(opening: try folder.write("abcdefg", to: "in"))
    var buffer: [UInt8] = [UInt8(ascii: ">")]
    #expect(try file.read(into: &buffer, atMost: 3) == 3)
    #expect(try file.read(into: &buffer, atMost: 100) == 4)
    #expect(try file.read(into: &buffer, atMost: 100) == 0)
    #expect(String(decoding: buffer, as: UTF8.self) == ">abcdefg")
  }

  @Test func accessTimeIsKept() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("abc", to: "in")
    let old = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2_000_000_000, tv_nsec: 0)]
    try #require(unsafe utimensat(AT_FDCWD, path, old, 0) == 0)
    #expect(try readFile(path, limit: 100) == Array("abc".utf8))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_atim.tv_sec == 1000)
  }

  @Test func wholeFilesAreReadUpToTheLimit() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(repeating: "x", count: 200_000), to: "in")
    #expect(try readFile(path, limit: 200_000).count == 200_000)
    #expect(throws: FileError(operation: "read", path: path, errno: EFBIG)) {
      try readFile(path, limit: 199_999)
    }
  }

  @Test func folderIsNoFile() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileError.self) { try readFile(folder.path, limit: 10) }
    #expect(error?.code == .isDirectory)
  }

  @Test func pathWithAZeroByteOpensNothing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", to: "in") + "\0.txt"
    #expect(throws: FileError.self) { try readFile(path, limit: 10) }
  }
}
