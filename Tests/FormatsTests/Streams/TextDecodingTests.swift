import Bytes
import Foundation
import TestSupport
import Testing

@testable import Formats

/// Text of other encodings, against Python's codecs.
struct TextDecodingTests {
  private static let names: [TextEncoding: String] = [
    .utf8: "utf-8", .utf16LittleEndian: "utf-16-le", .utf16BigEndian: "utf-16-be",
    .windows1252: "cp1252", .latin1: "latin-1",
  ]

  /// Reads a file a few bytes at a time.
  private func decode(
    _ bytes: [UInt8], _ encoding: TextEncoding, atMost size: Int
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let stream = try ByteStream(opening: try folder.write(bytes, to: "x"), as: encoding)
    var text: [UInt8] = []
    while try stream.read(into: &text, atMost: size) > 0 {}
    return text
  }

  @Test(arguments: TextEncoding.allCases)
  func textIsReadAsPythonReadsIt(encoding: TextEncoding) throws {
    let name = try #require(Self.names[encoding])
    let rows = try Python.rows(
      """
      alphabet = ''.join(map(chr, range(1, 256))) + 'Ωж中€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\\u2028𝄞🎉'
      random.seed(5)
      for _ in range(60):
          text = ''.join(random.choice(alphabet) for _ in range(random.randrange(40)))
          data = text.encode('\(name)', 'ignore')
          row(data, data.decode('\(name)').encode())
      """)
    for (place, row) in rows.enumerated() {
      #expect(try decode(row[0], encoding, atMost: place % 7 + 1) == row[1], "\(row[0])")
      let marked = try decode(encoding.mark + row[0], encoding, atMost: place % 5 + 1)
      #expect(marked == row[1])
    }
  }

  @Test(
    arguments: [
      (.utf16LittleEndian, [0x41, 0, 0x42], .truncated),
      (.utf16LittleEndian, [0x00, 0xD8], .truncated),
      (.utf16LittleEndian, [0x00, 0xD8, 0x41, 0], .invalid),
      (.utf16BigEndian, [0xDC, 0x00, 0, 0x41], .invalid),
      (.windows1252, [0x41, 0x81], .invalid),
    ] as [(TextEncoding, [UInt8], FormatError.Code)])
  func whatIsNoTextIsRefused(
    encoding: TextEncoding, bytes: [UInt8], code: FormatError.Code
  ) throws {
    for size in 1...4 {
      let error = #expect(throws: FormatError.self) {
        try decode(bytes, encoding, atMost: size)
      }
      #expect(error?.code == code)
    }
  }

  @Test func packedTextIsUnpackedFirst() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.gz")
    _ = try Python.run(
      "import gzip, sys\ngzip.open(sys.argv[1], 'wb').write('\\ufeffé'.encode('utf-16-le'))",
      arguments: [path])
    let stream = try ByteStream(opening: path, as: .utf16LittleEndian)
    var text: [UInt8] = []
    while try stream.read(into: &text) > 0 {}
    #expect(text == Array("é".utf8))
  }
}
