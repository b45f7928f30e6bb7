import CommandLineKit
import Foundation
import TestSupport
import Testing

struct StandardStreamTests {
  @Test func everyByteArrives() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: try folder.write("", to: "stream"))
    let handle = try FileHandle(forWritingTo: file)
    let stream = StandardStream(descriptor: handle.fileDescriptor)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try stream.write("Zoë\n")
    try stream.write(bytes)
    try stream.write([UInt8]())
    #expect(try Data(contentsOf: file) == Data("Zoë\n".utf8) + Data(bytes))
  }

  @Test func largeTextPassesThroughAPipe() throws {
    let pipe = Pipe()
    let text = String(repeating: "0123456789", count: 50_000)
    // A thread of its own: tests that block must not use up the threads that tasks share.
    Thread.detachNewThread {
      let stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
      try? stream.write(text)
      try? pipe.fileHandleForWriting.close()
    }
    #expect(try pipe.fileHandleForReading.readToEnd()?.count == 500_000)
  }

  @Test func closedPipeIsAnErrorValue() async {
    await #expect(processExitsWith: .success) {
      ignoreBrokenPipes()
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
      let error = try #require(throws: StreamError.self) { try stream.write("x") }
      #expect(error.errorNumber == EPIPE)
    }
  }

  @Test func fullDeviceIsNamed() throws {
    let handle = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let stream = StandardStream(descriptor: handle.fileDescriptor)
    let error = try #require(throws: StreamError.self) { try stream.write("x") }
    #expect(error.errorNumber == ENOSPC)
  }

  @Test func closedDescriptorFails() throws {
    let stream = StandardStream(descriptor: -1)
    let error = try #require(throws: StreamError.self) { try stream.write("x") }
    #expect(error.errorNumber == EBADF)
  }
}
