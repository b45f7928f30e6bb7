import TestSupport
import Testing

@testable import Tables

/// Python's `json` as the second opinion on what documents hold.
struct DocumentMembersTests {
  /// Objects as programs write them, and what is none: with escapes and without, few members and
  /// many, some of one name, values of all kinds, spaces, and bytes that were changed.
  private static let script = """
    def text():
        alphabet = ['a', 'b', ' ', '7', '"', '\\\\', '/', '\\n', '\\t', '\\b', '\\x01', 'é', '€', '😀']
        return ''.join(random.choice(alphabet) for _ in range(random.choice([0, 1, 3, 9, 40])))

    def value(depth):
        kind = random.randrange(10)
        if kind == 0: return None
        if kind == 1: return random.random() < .5
        if kind == 2: return random.choice([0, -1, 7, 10**17, -10**18, 2**63 - 1, -2**63, 2**63])
        if kind == 3: return random.choice([0.0, -0.0, 2.5, 1e300, 5e-324, random.uniform(-9, 9)])
        if kind > 7 and depth: return {text(): value(depth - 1) for _ in range(random.randrange(3))}
        if kind == 7 and depth: return [value(depth - 1) for _ in range(random.randrange(3))]
        return text()

    def pairs(members):
        for key, value in members: (key + str(value)).encode()
        if len(dict(members)) != len(members): raise ValueError
        return dict(members)

    def refuse(name): raise ValueError

    class Number(str): pass

    def compact(value):
        if isinstance(value, Number): return str(value)
        if isinstance(value, list): return '[' + ','.join(map(compact, value)) + ']'
        if isinstance(value, dict):
            return '{' + ','.join(compact(k) + ':' + compact(v) for k, v in value.items()) + '}'
        return json.dumps(value, ensure_ascii=False)

    def told(value):
        if value is None: return 'null', ''
        if isinstance(value, bool): return 'boolean', compact(value)
        if isinstance(value, Number): return 'number', str(value)
        return ('text', value) if isinstance(value, str) else ('structure', compact(value))

    for number in range(900):
        names = [text() if random.random() < .2 else 'key' + str(random.randrange(400))
                 for _ in range(random.choice([0, 1, 3, 8, 15, 16, 17, 40, 63, 64, 65, 80]))]
        if random.random() < .9: names = list(dict.fromkeys(names))
        spaces = random.choice([(',', ':'), (',', ':'), (', ', ': ')])
        escapes = random.random() < .3
        source = '{' + spaces[0].join(
            json.dumps(name, ensure_ascii=escapes) + spaces[1]
            + json.dumps(value(2), ensure_ascii=escapes, separators=spaces) for name in names) + '}'
        data = bytearray(source.encode())
        if random.random() < .1: data[random.randrange(len(data))] = random.choice(b'{}",:0\\\\\\xff')
        try:
            found = json.loads(data.decode(), object_pairs_hook=pairs, parse_constant=refuse,
                               parse_int=Number, parse_float=Number)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            row(data, 'none')
            continue
        parts = []
        for name, each in found.items(): parts += [name, *told(each)]
        row(data, 'object', *parts)
    """

  @Test(arguments: [1, 2, 3])
  func membersAreThoseThatPythonFinds(seed: Int) throws {
    let rows = try Python.rows("random.seed(\(seed))\n" + Self.script)
    #expect(rows.count == 900)
    var members = DocumentMembers()
    var objects = 0
    for row in rows {
      let document = row[0]
      let isObject = members.read(document.span)
      let source = String(decoding: document, as: UTF8.self)
      #expect(isObject == (row[1] == Array("object".utf8)), "\(source)")
      guard isObject else { continue }
      objects += 1
      let told = members.list.flatMap { member in
        [
          String(decoding: members.key(member), as: UTF8.self), Self.name(of: member.kind),
          member.kind == .null ? "" : members.text(member),
        ]
      }
      #expect(told == row.dropFirst(2).map { String(decoding: $0, as: UTF8.self) }, "\(source)")
    }
    #expect((600..<900).contains(objects))
  }

  private static func name(of kind: DocumentMembers.Kind) -> String {
    switch kind {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .text: "text"
    case .structure: "structure"
    }
  }
}
