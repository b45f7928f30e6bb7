import Bytes
import Foundation
import SQLiteFile
import TestSupport
import Testing

/// Damage gives an error or other rows, but never a trap, nor more work than the file is worth.
struct HostileScanTests {
  private static let script = """
    db.execute('CREATE TABLE t(a, b)')
    for i in range(400):
        db.execute('INSERT INTO t VALUES(?, ?)', (i, 'x' * r.choice([5, 90, 3000])))
    """

  @Test func anyBytesAreReadWithoutATrap() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let sound = Array(try Data(contentsOf: URL(filePath: store.path)))
    let root = try #require(store.roots["t"])
    let shape = TableShape(isReal: [true, false], rowIDColumn: nil)
    var random = SeededGenerator(seed: 11)
    var failures = 0
    for _ in 0..<300 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 100..<bytes.count, using: &random)
        bytes[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      let path = try store.folder.write(bytes, to: "broken")
      do {
        let file = try PageFile(opening: path)
        try file.readRows(ofTableAt: root, shape, chunk: 50) { batch in
          // What lies outside of the arena ends the test.
          for value in batch.values where value.kind == .text || value.kind == .blob {
            _ = batch.arena.span.extracting(value.range)
          }
        }
      } catch let error as PageError {
        #expect(error.kind == .damaged)
        failures += 1
      }
    }
    #expect(failures > 20 && failures < 300)
  }

  @Test func treeThatLeadsBackToItselfEnds() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let root = try #require(store.roots["t"])
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    // Every page says that its children are the root.
    for page in stride(from: 512, to: bytes.count, by: 512) {
      bytes[page] = 5
      bytes[page + 3] = 0
      bytes[page + 4] = 100
      for cell in stride(from: page + 12, to: page + 212, by: 2) { bytes[cell] = 1 }
      for cell in stride(from: page + 13, to: page + 212, by: 2) { bytes[cell] = 0 }
      bytes.replaceSubrange(page + 256..<page + 260, with: [0, 0, 0, UInt8(root)])
      bytes.replaceSubrange(page + 8..<page + 12, with: [0, 0, 0, UInt8(root)])
    }
    let file = try PageFile(opening: store.folder.write(bytes, to: "loop"))
    #expect(throws: PageError.self) { try file.leaves(ofTableAt: root) }
  }

  @Test(arguments: [0, 1 << 20]) func rootOutsideOfTheFileIsAnError(root: Int) throws {
    let store = try PythonStore("db.execute('CREATE TABLE t(a)')")
    let file = try PageFile(opening: store.path)
    #expect(throws: PageError.self) { try file.leaves(ofTableAt: UInt32(root)) }
  }

  @Test(arguments: [0, 50, 99]) func fileTooShortForAHeaderIsNoStore(size: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 0, count: size), to: "short")
    let error = #expect(throws: PageError.self) { try PageFile(opening: path) }
    #expect(error?.kind == .notAStore)
  }
}
