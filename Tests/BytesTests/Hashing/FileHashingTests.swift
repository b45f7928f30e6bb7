import Bytes
import TestSupport
import Testing

struct FileHashingTests {
  /// The hash of a file as a program of the system tells it.
  private func expected(_ path: String) throws -> String {
    try Python.answers(
      to: [path],
      """
      import hashlib
      def answer(line): return hashlib.sha256(open(line, "rb").read()).hexdigest()
      """)[0]
  }

  @Test(arguments: [0, 1, 63, 64, 1 << 20, (1 << 20) + 64, 3_333_333])
  func messagesAndFileHashAsAlone(size: Int) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let folder = try TemporaryFolder()
    let path = try folder.write(random.bytes(size), to: "file")
    let file = try FileHashing(ofFileAt: path)
    var beside = 0
    // Both a file that ends before the messages do, and one that does not.
    for round in 0..<20 {
      let isLent = file.lend { lane in
        for _ in 0..<50 {
          var message = random.bytes(Int.random(in: 0..<2000, using: &random))
          let hash = sha256(padding: &message)
          guard let digest = lane.sha256(padded: message.span) else { continue }
          #expect(digest == hash)
          beside += 1
        }
      }
      #expect(isLent, "round \(round)")
    }
    file.leave()
    let (digest, bytes) = try file.finish()
    #expect(bytes == size)
    #expect(digest.hexadecimal == (try expected(path)))
    if size < 64 { #expect(beside == 0) }
    if size > 3_000_000 { #expect(beside == 1000) }
  }

  @Test func longMessagesAreLeftToOthers() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: 200_000), to: "file")
    let file = try FileHashing(ofFileAt: path)
    _ = file.lend { lane in
      var message = [UInt8](repeating: 1, count: 100_000)
      _ = sha256(padding: &message)
      #expect(lane.sha256(padded: message.span) == nil)
    }
    file.leave()
    #expect(try file.finish().digest.hexadecimal == (try expected(path)))
  }

  @Test func oneThreadAtATimeHasIt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("abc", to: "file")
    let file = try FileHashing(ofFileAt: path)
    let isLent = file.lend { _ in
      inParallel(2, threads: 2) { _ in #expect(!file.lend { _ in }) }
    }
    #expect(isLent)
  }

  @Test func whatIsNotWantedIsNotRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: 3 << 20), to: "file")
    let file = try FileHashing(ofFileAt: path)
    file.abandon()
    #expect(try file.finish().size == 0)
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.self) { try FileHashing(ofFileAt: folder.path("none")) }
  }
}
