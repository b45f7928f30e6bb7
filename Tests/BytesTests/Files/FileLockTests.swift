import Foundation
import Glibc
import TestSupport
import Testing

@testable import Bytes

struct FileLockTests {
  /// A child that is being started has copies of all descriptors, for a moment.
  @Test func lockGoesWhateverCopiesOfItsDescriptorThereAre() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "file")
    let lock = try FileLock.take(on: path)
    let copies = try Self.copies(ofDescriptorsOf: path)
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    #expect(try !Self.isFree(path))
    _ = consume lock
    #expect(try Self.isFree(path))
  }

  private static func isFree(_ path: String) throws -> Bool {
    let lock = try FileLock.take(on: path)
    return lock != nil
  }

  private static func copies(ofDescriptorsOf path: String) throws -> [Int32] {
    let folder = "/proc/self/fd"
    let numbers = try FileManager.default.contentsOfDirectory(atPath: folder)
    return numbers.filter { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      return target == path
    }.compactMap { Int32($0).map(dup) }
  }
}
