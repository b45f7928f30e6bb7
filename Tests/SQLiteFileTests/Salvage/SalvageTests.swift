import Bytes
import Foundation
import SQLiteFile
import TestSupport
import Testing

struct SalvageTests {
  private static let script = """
    db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT, v REAL)')
    db.execute('CREATE TABLE b(x TEXT, y INTEGER)')
    for i in range(500):
        db.execute('INSERT INTO a VALUES(?, ?, ?)', (i, 'x' * r.choice([5, 90, 2000]), i))
        db.execute('INSERT INTO b VALUES(?, ?)', ('y%d' % i, i))
    """

  private static func profiles(_ roots: [String: UInt32]) throws -> [TableProfile] {
    [
      TableProfile(
        name: "a", root: try #require(roots["a"]),
        columns: [Affinity.integer, .text, .real].map { .init(affinity: $0, isNotNull: false) },
        rowIDColumn: 0),
      TableProfile(
        name: "b", root: try #require(roots["b"]),
        columns: [Affinity.text, .integer].map { .init(affinity: $0, isNotNull: false) },
        rowIDColumn: nil),
    ]
  }

  private func rows(
    of path: String, _ profiles: [TableProfile]
  ) throws -> (keys: [[Int64]], account: [SalvageAccount.Table]) {
    var keys: [[Int64]] = [[], []]
    var salvage = try Salvage(of: PageFile(salvaging: path), threads: 1)
    _ = salvage.readSchema()
    let keep: Salvage.Sink<Never> = { (table, key, values, arena) throws(Never) in
      for value in values where value.kind == .text || value.kind == .blob {
        #expect(arena.indices.contains(value.range.lowerBound) || value.range.isEmpty)
        #expect(value.range.upperBound <= arena.count)
      }
      keys[table].append(key)
    }
    let account = salvage.recover(profiles, into: keep)
    return (keys, account)
  }

  @Test func soundTablesAreWhole() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let (keys, account) = try rows(of: store.path, Self.profiles(store.roots))
    #expect(keys == [Array(0...499), Array(1...500)])
    #expect(account.map(\.recovered) == [500, 500])
    #expect(account.map(\.isWhole) == [true, true])
  }

  @Test func noDamageMakesRowsTwiceOrATrap() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let sound = Array(try Data(contentsOf: URL(filePath: store.path)))
    let profiles = try Self.profiles(store.roots)
    var random = SeededGenerator(seed: 5)
    var lossy = 0
    for _ in 0..<60 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let page = Int.random(in: 0..<bytes.count / 512, using: &random) * 512
        let count = [1, 4, 100, 512].randomElement(using: &random) ?? 1
        let start = page + Int.random(in: 0...512 - count, using: &random)
        bytes.replaceSubrange(start..<start + count, with: random.bytes(count))
      }
      let path = try store.folder.write(bytes, to: "broken")
      let (keys, account) = try rows(of: path, profiles)
      if account.contains(where: { !$0.isWhole }) { lossy += 1 }
      for (table, keys) in keys.enumerated() {
        #expect(keys.count == account[table].recovered)
        #expect(keys.count <= 600)
        if account[table].isWhole { #expect(keys.count >= 490) }
      }
    }
    #expect(lossy > 20)
  }

  @Test func leafThatHasLostItsRowsIsAMissingPart() throws {
    let store = try PythonStore(pageSize: 512, Self.script)
    let root = try #require(store.roots["b"])
    let leaf = try PageFile(opening: store.path).leaves(ofTableAt: root).pages[3]
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    let start = (Int(leaf) - 1) * 512
    let count = Int(bytes[start + 4])
    bytes.replaceSubrange(
      start..<start + 512,
      with: [13, 0, 0, 0, 0, 2, 0, 0] + [UInt8](repeating: 0, count: 504))
    let path = try store.folder.write(bytes, to: "emptied")
    let (keys, account) = try rows(of: path, Self.profiles(store.roots))
    #expect(keys[1].count == 500 - count)
    #expect(account.map(\.isWhole) == [true, false])
    #expect(account[1].missingParts == 1)
  }

  @Test func fileWithoutPagesIsNoStore() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 65, count: 20_000), to: "prose")
    let error = #expect(throws: PageError.self) { try PageFile(salvaging: path) }
    #expect(error?.kind == .notAStore)
  }

  /// Every page is a leaf whose cells all lead to the same chain, which is read again only as long as
  /// that takes no more pages than the file has.
  @Test func cellsThatShareAChainDoNotMultiplyIt() throws {
    let store = try PythonStore(
      pageSize: 512,
      """
      db.execute('CREATE TABLE a(k INTEGER PRIMARY KEY, t TEXT, v REAL)')
      db.execute('CREATE TABLE b(x TEXT, y INTEGER)')
      for i in range(200): db.execute('INSERT INTO a VALUES(?, ?, ?)', (i, 'x' * 30000, i))
      """)
    var bytes = Array(try Data(contentsOf: URL(filePath: store.path)))
    let root = try #require(store.roots["a"])
    let profiles = try Self.profiles(["a": root, "b": root])
    let pages = try PageFile(opening: store.path).leaves(ofTableAt: root).pages
    // The chain of the first row becomes that of every other.
    var chain: ArraySlice<UInt8> = []
    for page in pages {
      let start = (Int(page) - 1) * 512
      let count = Int(bytes[start + 4])
      for cell in 0..<count {
        let place = start + 8 + 2 * cell
        let end =
          cell == 0 ? 512 : Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
        if chain.isEmpty { chain = bytes[start + end - 4..<start + end] }
        bytes.replaceSubrange(start + end - 4..<start + end, with: chain)
      }
    }
    let path = try store.folder.write(bytes, to: "shared")
    let (keys, account) = try rows(of: path, profiles)
    let chains = 30_000 / 508
    #expect(keys[0].count > 150 && keys[0].count - 1 <= bytes.count / 512 / chains)
    #expect(account[0].lost == 200 - keys[0].count)
    #expect(account[0].doubtful == keys[0].count - 1)
  }
}
