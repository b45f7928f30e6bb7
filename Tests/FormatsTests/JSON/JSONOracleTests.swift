import Bytes
import Formats
import TestSupport
import Testing

/// Python's `json` as the second opinion, made as strict as RFC 8259 and this reader.
struct JSONOracleTests {
  @Test(arguments: [1, 2, 3])
  func randomDocumentIsWrittenAsPythonWritesIt(seed: Int) throws {
    let rows = try Python.rows(
      documents + """
        random.seed(\(seed))
        for _ in range(300):
            value = document(4)
            row(json.dumps(value, ensure_ascii=random.random() < .5, indent=random.choice([None, 1, '\\t'])),
                json.dumps(value, ensure_ascii=False, separators=(',', ':')))
        """)
    #expect(rows.count == 300)
    for row in rows {
      #expect(try json(parse(row[0])) == row[1])
    }
  }

  @Test(arguments: [4, 5, 6])
  func damagedDocumentIsJudgedAsPythonJudgesIt(seed: Int) throws {
    let rows = try Python.rows(
      documents + strictReader + """
        random.seed(\(seed))
        for _ in range(1500):
            source = json.dumps(document(3), ensure_ascii=random.random() < .5)
            bytes_ = bytearray(source.encode())
            for _ in range(random.randint(1, 3)):
                place = random.randrange(len(bytes_) + 1)
                alphabet = b'[]{},:"\\\\ntfu01.-+eE \\n\\x00\\xff\\xc3dDcC8'
                action = random.randrange(4)
                if action == 0: bytes_[place:place + 1] = bytes([random.choice(alphabet)])
                elif action == 1: bytes_[place:place] = bytes([random.choice(alphabet)])
                elif action == 2: del bytes_[place:place + random.randint(1, 4)]
                else: bytes_ = bytes_[:place]
            row(bytes_, verdict(bytes(bytes_)))
        """)
    #expect(rows.count == 1500)
    for row in rows {
      // Both outcomes are compared with the verdict.
      let value = try? parse(row[0])
      #expect((value.map { _ in "good" } ?? "bad") == String(decoding: row[1], as: UTF8.self))
    }
  }

  @Test(arguments: [7, 8])
  func plainObjectIsJudgedAsPythonJudgesIt(seed: Int) throws {
    let rows = try Python.rows(
      documents + strictReader + """
        random.seed(\(seed))
        for _ in range(1500):
            plain = [None, True, False, 0, -7, 1.25, '', 'eggs, Größe', '00000000-aaaa-4bbb',
                     'a "b" \\\\ c', '\\t\\n\\r\\b\\f', 'x\\\\', '\\x01']
            members = {str(random.randrange(400)): random.choice(plain + [document(0)])
                       for _ in range(random.choice([*range(20), 63, 64, 65]))}
            if members: members['7'] = 7
            deep = 'x'
            for level in range(random.randint(1, 10)): deep = random.choice([[deep], {'n': deep}])
            plain += [{}, [], [1, 'a', None, [2.5, {'b': []}]], deep]
            for key in list(members)[::5]:
                members[key] = {str(place): random.choice(plain)
                                for place in range(random.randrange(3))}
            source = json.dumps(members, ensure_ascii=False, separators=(',', ':'))
            bytes_ = bytearray(source.encode())
            for _ in range(random.randint(0, 2)):
                place = random.randrange(len(bytes_))
                action = random.randrange(3)
                if action == 0: bytes_[place] = random.choice(b'{},:"0.-tb\\\\/nu\\xc3')
                elif action == 1: bytes_.insert(place, random.choice(b'{},:"01.-'))
                else: del bytes_[place]
            row(bytes_, verdict(bytes(bytes_)))
        """)
    #expect(rows.count == 1500)
    var plain = 0
    for row in rows {
      let source = row[0]
      let isGood = isJSON(source.span)
      #expect((isGood ? "good" : "bad") == String(decoding: row[1], as: UTF8.self))
      var place: Range<Int>?
      let isPlain = forEachMember(ofPlainJSON: source.span) { key, value in
        if Array(source[key]) == Array("7".utf8) { place = value }
      }
      guard isPlain else { continue }
      plain += 1
      // What is plain would be written again just as it is, and its values are those of the parser.
      var written: [UInt8] = []
      let value = try JSONValue(parsing: source.span)
      value.append(to: &written)
      #expect(written == source)
      guard case .object(let members) = value else { continue }
      var member: [UInt8] = []
      members["7"]?.append(to: &member)
      #expect((place == nil) == (members["7"] == nil))
      #expect(Array(source[place ?? 0..<0]) == member)
    }
    #expect(plain > 100)
  }

  /// What is plain passes no limit of depth that the parser has.
  @Test(
    arguments: 1...4,
    [
      #"{"a":1}"#, #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":[[]]}"#,
      #"{"a":[{"b":{}}]}"#, #"{"a":{"b":{"c":[1]}}}"#,
    ])
  func plainObjectIsNoDeeperThanTheParserAllows(depth: Int, source: String) {
    var limits = InputLimits()
    limits.depth = depth
    let bytes = Array(source.utf8)
    InputLimits.$current.withValue(limits) {
      let isPlain = forEachMember(ofPlainJSON: bytes.span) { _, _ in }
      #expect(isPlain == ((try? JSONValue(parsing: bytes.span)) != nil))
    }
  }

  private let documents = """
    def text():
        alphabet = 'ab"\\\\/\\n\\t\\x00\\x1f\\x7fé€😀\\u2028\\ufffd 0123456789'
        return ''.join(random.choice(alphabet) for _ in range(random.choice([0, 1, 5, 8, 30])))
    def document(depth):
        kind = random.randrange(9 if depth else 6)
        if kind == 0: return None
        if kind == 1: return random.random() < .5
        if kind == 2: return random.choice([0, -1, 2**63, random.randint(-10**30, 10**30)])
        if kind == 3: return random.choice([0.0, -0.0, 1e300, 5e-324, random.uniform(-1e6, 1e6)])
        if kind <= 5: return text()
        if kind <= 7: return [document(depth - 1) for _ in range(random.randrange(6))]
        return {text() + str(i): document(depth - 1) for i in range(random.choice([0, 1, 5, 12]))}

    """

  private let strictReader = """
    def pairs(members):
        if len(dict(members)) != len(members): raise ValueError
        for key, value in members: key.encode()
        return dict(members)
    def constant(name): raise ValueError
    def whole(value):
        if isinstance(value, str): value.encode()
        elif isinstance(value, list):
            for element in value: whole(element)
        elif isinstance(value, dict):
            for element in value.values(): whole(element)
    def verdict(data):
        try:
            whole(json.loads(data.decode('utf-8'), object_pairs_hook=pairs, parse_constant=constant,
                             parse_int=str, parse_float=str))
            return 'good'
        except ValueError:
            return 'bad'

    """
}
