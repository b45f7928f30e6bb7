import Bytes
import Foundation
import Glibc
import TestSupport
import Testing

struct OutputFileTests {
  @Test func piecesOfAnySizeArriveInOrder() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 18)
    var expected: [UInt8] = []
    var file = try OutputFile(creating: folder.path("out"))
    for _ in 0..<60 {
      let sizes = [0, 1, 100, 65_535, 65_536, 65_537, Int.random(in: 0..<70_000, using: &random)]
      let piece = random.bytes(sizes.randomElement(using: &random) ?? 0)
      expected += piece
      try file.write(piece.span)
    }
    try file.close()
    #expect(try readFile(folder.path("out"), limit: .max) == expected)
  }

  /// The disk begins early with long files, of which that changes nothing.
  @Test func longFilesArriveWhole() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 21)
    var expected = random.bytes(1000)
    try OutputFile(creating: folder.path("grown")).close()
    var first = try OutputFile(creating: folder.path("out"), isDurable: true)
    try first.write(expected.span)
    try first.close()
    var file = try OutputFile(appendingTo: folder.path("out"), keeping: 900, isDurable: true)
    var grown = try GrowingFile(opening: folder.path("grown"), isDurable: true)
    expected.removeLast(100)
    try grown.append(expected.span)
    for size in [3 << 20, 70_000, 20 << 20, 1, 9 << 20] {
      let piece = random.bytes(size)
      expected += piece
      try file.write(piece.span)
      try grown.append(piece.span)
    }
    try file.close()
    try grown.flush()
    let isWhole = try readFile(folder.path("out"), limit: .max) == expected
    #expect(isWhole)
    let isGrownWhole = try readFile(folder.path("grown"), limit: .max) == expected
    #expect(isGrownWhole)
  }

  @Test func newFilesAreTheirOwnersOnly() throws {
    let folder = try TemporaryFolder()
    let file = try OutputFile(creating: folder.path("out"))
    var status = stat()
    #expect(unsafe stat(folder.path("out"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    try file.close()
  }

  @Test func flushedBytesAreThereBeforeClosing() throws {
    let folder = try TemporaryFolder()
    var file = try OutputFile(creating: folder.path("out"))
    try file.write([65].span)
    #expect(folder.text("out") == "")
    try file.flush()
    #expect(folder.text("out") == "A")
    try file.write([66].span)
    try file.synchronize()
    #expect(folder.text("out") == "AB")
    try file.close()
  }

  @Test func takenNamesAndMissingFoldersAreErrors() throws {
    let folder = try TemporaryFolder()
    let taken = try folder.write("mine", to: "taken")
    #expect(throws: FileError(operation: "create", path: taken, errno: EEXIST)) {
      let file = try OutputFile(creating: taken)
      try file.close()
    }
    let missing = folder.path("none/file")
    #expect(throws: FileError(operation: "create", path: missing, errno: ENOENT)) {
      let file = try OutputFile(creating: missing)
      try file.close()
    }
    #expect(folder.text("taken") == "mine")
  }

  @Test func fullDiskIsReported() throws {
    let full = unsafe open("/dev/full", O_WRONLY)
    defer { close(full) }
    var file = OutputFile(descriptor: full, path: "/dev/full")
    try file.write([1].span)
    let error = #expect(throws: FileError.self) { try file.flush() }
    #expect(error?.code == .noSpace)
    #expect(error?.description == "cannot write /dev/full: no space left on device")
    try file.close()
  }

  @Test func borrowedPipesStayOpenAndShortWritesAreContinued() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    // A pipe that never blocks takes only part of a large piece.
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let expected = [UInt8](repeating: 7, count: 1_000_000)
    // A thread of its own: tests that block must not use up the threads that tasks share.
    Thread.detachNewThread {
      do {
        var file = OutputFile(descriptor: writing, path: "pipe")
        try file.write(expected.span)
        try file.synchronize()
        try file.close()
        #expect(fcntl(writing, F_GETFD) >= 0)
      } catch {
        Issue.record(error)
      }
      close(writing)
    }
    let end = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
    let received = [UInt8](try #require(try end.readToEnd()))
    #expect(received == expected)
  }

  @Test func closedPipeIsReported() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { exit(1) }
      close(ends[0])
      var file = OutputFile(descriptor: ends[1], path: "pipe")
      do throws(FileError) {
        try file.write([1].span)
        try file.flush()
        exit(1)
      } catch {
        exit(error.code == .brokenPipe ? 0 : 1)
      }
    }
  }
}
