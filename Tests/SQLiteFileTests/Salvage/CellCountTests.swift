import Bytes
import Foundation
import TestSupport
import Testing

@testable import SQLiteFile

/// The number of cells of a page is found by what they fill of it, whatever number it says.
struct CellCountTests {
  private static let script = """
    db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT)')
    db.execute('CREATE TABLE s(k TEXT PRIMARY KEY, t TEXT) WITHOUT ROWID')
    for i in range(400):
        text = 'x' * r.choice([5, 30, 90, 2000])
        db.execute('INSERT INTO a VALUES(?, ?)', (i, text))
        db.execute('INSERT INTO s VALUES(?, ?)', ('key %04d' % (i * 7919 % 400), text))
    db.execute('DELETE FROM a WHERE k % 7 = 3')
    db.execute("DELETE FROM s WHERE k LIKE '%3'")
    """

  @Test(arguments: [512, 4096]) func everyFlippedBitOfANumberIsMended(pageSize: Int) throws {
    let store = try PythonStore(pageSize: pageSize, Self.script)
    let sound = Array(try Data(contentsOf: URL(filePath: store.path)))
    var inspection = PageInspection(usableSize: pageSize)
    var (count, doubts) = (0, 0)
    for start in stride(from: pageSize, to: sound.count, by: pageSize) {
      let page = UInt32(start / pageSize + 1)
      let bytes = Array(sound[start..<start + pageSize])
      let facts = inspection.inspect(bytes.span, start: 0, page: page)
      guard facts.kind != nil, facts.fault == nil, facts.cellCount > 0 else { continue }
      count += 1
      for bit in 0..<16 {
        var broken = bytes
        broken[4 - bit / 8] ^= 1 << (bit % 8)
        let found = inspection.cellCount(of: broken, page: page)
        // What stands behind the list may lead to rows that were there once; nobody can tell.
        if found == nil, broken[3] > bytes[3] || broken[4] > bytes[4] {
          doubts += 1
          continue
        }
        #expect(found?.count == Int(facts.cellCount), "page \(page), bit \(bit)")
        #expect(found?.setsRight == true, "page \(page), bit \(bit)")
      }
    }
    #expect(count > 20 && doubts < count)
  }

  /// What a page says of its free space costs no row that it lists; whatever may hide some is told.
  @Test func rowsOfAPageWithWrongFreeSpaceAreRead() throws {
    let store = try PythonStore(
      pageSize: 512,
      """
      db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT)')
      for i in range(400): db.execute('INSERT INTO a VALUES(?, ?)', (i, 'ten chars.'))
      """)
    let sound = Array(try Data(contentsOf: URL(filePath: store.path)))
    let root = try #require(store.roots["a"])
    let leaf = try PageFile(opening: store.path).leaves(ofTableAt: root).pages[5]
    for bit in 0..<56 where !(16..<32).contains(bit) {
      var bytes = sound
      bytes[(Int(leaf) - 1) * 512 + 1 + bit / 8] ^= 1 << (bit % 8)
      let found = try salvage(store.folder.write(bytes, to: "broken"))
      #expect(found.keys == Array(0..<400).map(Int64.init), "bit \(bit)")
    }
  }

  /// No row is lost, and none is said to be.
  @Test func rowsBehindAWrongNumberAreRead() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let expected = try salvage(store.path)
    #expect(expected.isWhole && expected.keys.count > 300)
    let sound = Array(try Data(contentsOf: URL(filePath: store.path)))
    let root = try #require(store.roots["a"])
    let leaves = try PageFile(opening: store.path).leaves(ofTableAt: root).pages
    for page in [root, leaves[0], leaves[9]] {
      for bit in 0..<8 {
        var bytes = sound
        bytes[(Int(page) - 1) * 512 + 4] ^= 1 << bit
        let found = try salvage(store.folder.write(bytes, to: "broken"))
        #expect(found.keys == expected.keys, "page \(page), bit \(bit)")
        #expect(found.isWhole, "page \(page), bit \(bit)")
      }
    }
  }

  /// Where the sizes tell nothing any more, the table may have had more rows.
  @Test func pageThatMayHaveHadMoreRowsIsTold() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let root = try #require(store.roots["a"])
    let leaf = try PageFile(opening: store.path).leaves(ofTableAt: root).pages[9]
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    bytes[(Int(leaf) - 1) * 512 + 4] -= 1
    bytes[(Int(leaf) - 1) * 512 + 7] ^= 32
    let found = try salvage(store.folder.write(bytes, to: "broken"))
    #expect(!found.isWhole)
  }

  private func salvage(_ path: String) throws -> (keys: [Int64], isWhole: Bool) {
    var salvage = try Salvage(of: PageFile(salvaging: path), threads: 1)
    let root = try #require(salvage.readSchema().first { $0.text($0.name) == "a" }?.root)
    let profile = TableProfile(
      name: "a", root: root,
      columns: [Affinity.integer, .text].map { .init(affinity: $0, isNotNull: false) },
      rowIDColumn: 0)
    var keys: [Int64] = []
    let keep: Salvage.Sink<Never> = { (_, key, _, _) throws(Never) in keys.append(key) }
    let account = salvage.recover([profile], into: keep)
    return (keys.sorted(), account[0].isWhole)
  }
}
