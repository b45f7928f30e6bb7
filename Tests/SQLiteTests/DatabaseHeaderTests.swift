import Foundation
import SQLite
import TestSupport
import Testing

struct DatabaseHeaderTests {
  @Test(arguments: [512, 1024, 4096, 32768, 65536])
  func headerOfARealDatabaseIsRead(pageSize: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "PRAGMA page_size = \(pageSize); CREATE TABLE t(a); CREATE TABLE u(a)")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let header = try #require(parsed(bytes))
    #expect(header.pageSize == pageSize)
    #expect(header.pageCount == bytes.count / pageSize)
    #expect(!header.usesWAL)
  }

  @Test func headerTellsTheWriteAheadLog() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(parsed(bytes)?.usesWAL == true)
  }

  @Test func countThatAnOlderEngineLeftIsNotTrusted() throws {
    var bytes = try sample()
    bytes[95] &+= 1
    #expect(try #require(parsed(bytes)).pageCount == nil)
    bytes = try sample()
    bytes.replaceSubrange(28..<32, with: [0, 0, 0, 0])
    #expect(try #require(parsed(bytes)).pageCount == nil)
  }

  @Test(arguments: [[0, 0], [0, 1], [1, 0], [2, 1], [0x30, 0], [0xFF, 0xFF], [0x0F, 0xFF]])
  func pageSizeThatCannotBeIsRefused(bytes size: [UInt8]) throws {
    var bytes = try sample()
    bytes.replaceSubrange(16..<18, with: size)
    // 00 01 stands for 65,536 and 01 00 for 256, which is too small.
    #expect((parsed(bytes) != nil) == (size == [0, 1]))
  }

  @Test func everyCutAndEveryOtherMagicIsRefused() throws {
    let bytes = try sample()
    for count in 0..<DatabaseHeader.size {
      #expect(parsed(Array(bytes.prefix(count))) == nil)
    }
    for index in 0..<16 {
      var changed = bytes
      changed[index] ^= 1
      #expect(parsed(changed) == nil)
    }
  }

  private func sample() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.database("CREATE TABLE t(a)")
    return Array(try Data(contentsOf: URL(filePath: path)).prefix(100))
  }
}

private func parsed(_ bytes: [UInt8]) -> DatabaseHeader? {
  DatabaseHeader(parsing: bytes.span)
}
