import Bytes
import Exports
import Records
import TestSupport
import Testing

/// Whole batches of random rows, which are spelled in room that is made for many of them.
@Suite struct RowSpellingTests {
  fileprivate enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case binary([UInt8])

    /// The value as one word for Python.
    var word: String {
      switch self {
      case .null: "n"
      case .integer(let number): "i\(number)"
      case .real(let number): "r\(number.bitPattern)"
      case .text(let bytes): "t\(hexadecimal(bytes))"
      case .binary(let bytes): "b\(hexadecimal(bytes))"
      }
    }
  }

  private static let pieces = [
    "\"", "\\", "\n", "\r", ",", "\t", "\u{1}", "\u{1F}", "é", "€", "😀", "milk", "=", " ",
    "eight ch",
  ]

  private func value(_ random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .null
    case 1: return .integer(Int64.random(in: Int64.min...Int64.max, using: &random))
    case 2: return .integer(Int64.random(in: -1000...1000, using: &random))
    case 3: return .real((Double.random(in: -1e5...1e5, using: &random) * 100).rounded() / 100)
    case 4: return .real(Double.random(in: -1e9...1e9, using: &random))
    case 5: return .binary(random.bytes(Int.random(in: 0..<9, using: &random)))
    default:
      // Now and then a text is too long for the guess of what a row takes.
      let isLong = Int.random(in: 0..<60, using: &random) == 0
      let text = (0..<Int.random(in: 0..<(isLong ? 3000 : 9), using: &random)).map { _ in
        Self.pieces.randomElement(using: &random) ?? ""
      }
      return .text(Array(text.joined().utf8))
    }
  }

  @Test(arguments: 0..<6)
  func rowsAreWrittenAsPythonWritesThem(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let width = [1, 3, 10, 40][seed % 4]
    let rows = (0..<600).map { _ in
      (
        key: Int64.random(in: -99...1_000_000, using: &random),
        values: (0..<width).map { _ in value(&random) }
      )
    }
    var batch = RecordBatch(columnCount: width)
    for row in rows {
      for value in row.values { batch.append(value: value) }
      batch.endRow(key: row.key)
    }
    let table = Table(
      name: "T", columns: (0..<width).map { Column(name: "c\($0) \"é\"", type: .text) })
    let expected = try Python.answers(
      to: rows.map { row in "\(row.key) \(row.values.map(\.word).joined(separator: " "))" },
      Self.rules)
    for (place, format) in [ExportFormat.ndjson, .csv].enumerated() {
      var output: [UInt8] = []
      let count = format.spelling(of: table).append(batch, to: &output)
      #expect(count == rows.count)
      let lines = expected.map { $0.split(separator: " ")[place] }
      #expect(hexadecimal(output) == lines.joined())
    }
  }

  /// The line of NDJSON and that of CSV, as hexadecimal digits.
  private static let rules = """
    import base64, json, struct
    def cell(word):
      kind, rest = word[0], word[1:]
      if kind == 'n': return None
      if kind == 'i': return int(rest)
      if kind == 'r': return struct.unpack('>d', struct.pack('>Q', int(rest)))[0]
      if kind == 't': return bytes.fromhex(rest).decode()
      return base64.b64encode(bytes.fromhex(rest)).decode()
    def field(value):
      if value is None: return ''
      text = value if isinstance(value, str) else repr(value)
      plain = text and not any(letter in text for letter in '",\\r\\n')
      return text if plain else '"' + text.replace('"', '""') + '"'
    def answer(line):
      key, *words = line.split()
      values = [cell(word) for word in words]
      names = ['_pk'] + ['c%d "é"' % place for place in range(len(values))]
      item = dict(zip(names, [int(key)] + values))
      fields = [key] + [field(value) for value in values]
      lines = [json.dumps(item, ensure_ascii=False, separators=(',', ':')) + '\\n',
        ','.join(fields) + '\\r\\n']
      return ' '.join(line.encode().hex() for line in lines)
    """
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  var digits: [UInt8] = []
  digits.appendHex(bytes.span)
  return String(decoding: digits, as: UTF8.self)
}

extension RecordBatch {
  fileprivate mutating func append(value: RowSpellingTests.Value) {
    switch value {
    case .null: append(.null)
    case .integer(let number): append(.integer(number))
    case .real(let number): append(.real(number))
    case .text(let bytes): appendText(bytes.span)
    case .binary(let bytes): appendBinary(bytes.span)
    }
  }
}
