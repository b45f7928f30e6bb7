import Bytes
import Foundation
import Testing

/// A file is the same as before as long as nothing of it was changed.
struct FileStampTests {
  @Test func changeOfSizeOrTimeIsSeen() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileStamp(of: path) == nil && FileIdentity(of: path) == nil)
    try Data("abc".utf8).write(to: URL(filePath: path))
    let date = Date(timeIntervalSince1970: 1_000_000)
    func set(_ time: Date) throws {
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }
    try set(date)
    let first = try #require(FileStamp(of: path))
    #expect(FileStamp(of: path) == first)
    try set(date.addingTimeInterval(0.25))
    #expect(FileStamp(of: path) != first)
    try set(date)
    #expect(FileStamp(of: path) == first)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 2)
    try handle.close()
    try set(date)
    #expect(FileStamp(of: path) != first)
  }
}
