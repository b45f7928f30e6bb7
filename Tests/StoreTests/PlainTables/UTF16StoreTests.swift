import Testing

@testable import Records

/// Stores that write their texts in UTF-16, whose texts may not be valid.
struct UTF16StoreTests {
  private static let tables = [
    "plain (k INTEGER PRIMARY KEY, t TEXT)", "inKey (k INTEGER PRIMARY KEY, t TEXT) WITHOUT ROWID",
    "computed (k INTEGER PRIMARY KEY, t TEXT, c AS (k + 1))",
    "added (k INTEGER PRIMARY KEY, t TEXT, d INTEGER DEFAULT 1)",
  ]

  private static func name(_ table: String) -> String { String(table.prefix { $0 != " " }) }

  /// A store in which all tables have these texts, each as the bytes of its units.
  private func reader(_ texts: [[UInt8]], _ encoding: String) throws -> any StoreReader {
    var sql = "PRAGMA encoding = '\(encoding)';"
    for table in Self.tables {
      sql += "CREATE TABLE \(table);"
      for (key, text) in texts.enumerated() {
        let digits = text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        sql += "INSERT INTO \(Self.name(table)) (k, t) VALUES (\(key), CAST(x'\(digits)' AS TEXT));"
      }
    }
    return try SQLStore(sql).reader()
  }

  private static func bytes(_ units: [UInt16], _ encoding: String) -> [UInt8] {
    units.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return encoding == "UTF-16be" ? bytes.reversed() : bytes
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func soundTextsAreThoseOfTheStore(encoding: String) throws {
    let texts = [
      "", "a", "näme", "寿司 🎉", "\u{FEFF}mark", "\u{FFFF}\u{10FFFF}\u{7FF}\u{800}",
      String(repeating: "long ü🚀", count: 500),
    ]
    let reader = try reader(texts.map { Self.bytes(Array($0.utf16), encoding) }, encoding)
    for table in Self.tables {
      let read = try #require(try reader.read(Self.name(table)))
      #expect(read.values("t") == texts)
      #expect(read.rejects.isEmpty)
    }
  }

  /// Whoever looks at the bytes of a rejected text must know what they are.
  @Test func storeTellsHowItWritesItsTexts() throws {
    for encoding in ["UTF-16le", "UTF-16be"] {
      #expect(try reader([], encoding).source.metadata == [.init("textEncoding", encoding)])
    }
    #expect(try reader([], "UTF-8").source.metadata.isEmpty)
  }

  // The engine would make other letters of them.
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func textWithHalfAPairIsRejectedAsItIsStored(encoding: String) throws {
    let texts: [[UInt16]] = [
      [0x61, 0xD83D], [0xD83D, 0x61, 0x62, 0x63], [0x61, 0xDC00, 0x62], [0xD83D, 0xD83D, 0xDE00],
      [0xDE00, 0xD83D], [0xDE80], [0xD800, 0x80],
    ]
    let stored = texts.map { Self.bytes($0, encoding) }
    let reader = try reader(stored + [Self.bytes([0x61], encoding)], encoding)
    for table in Self.tables {
      let read = try #require(try reader.read(Self.name(table)))
      #expect(read.values("t") == [String?](repeating: nil, count: stored.count) + ["a"])
      #expect(read.rejects.map(\.raw) == stored.map { .text($0) }, "\(table)")
      #expect(read.rejects.allSatisfy { $0.code == .invalidText })
    }
  }

  @Test func soundTextThatDoesNotFitIsRejectedAsText() throws {
    let reader = try SQLStore(
      """
      PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (n INTEGER);
      INSERT INTO t VALUES (1), ('one ü')
      """
    ).reader()
    let read = try ReadTable(0, of: reader)
    #expect(read.rejects.map(\.raw) == [.text(Array("one ü".utf8))])
  }
}
