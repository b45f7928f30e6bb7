import Formats
import TestSupport
import Testing

/// Python's `plistlib` as the second opinion.
struct PropertyListOracleTests {
  @Test(arguments: [1, 2, 3])
  func randomListReadsAsPythonWroteIt(seed: Int) throws {
    let rows = try Python.rows(
      lists + """
        random.seed(\(seed))
        for _ in range(200):
            value = item(4)
            row(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False),
                json.dumps(plain(value), ensure_ascii=False, separators=(',', ':')))
        """)
    #expect(rows.count == 200)
    for row in rows {
      let value = try PropertyList(parsing: row[0]).json(maxNodes: 100_000)
      #expect(json(value) == row[1])
    }
  }

  /// A damaged list may still be one, so only crashes, hangs and memory count.
  @Test(arguments: [4, 5]) func damagedListNeverCrashes(seed: Int) throws {
    let rows = try Python.rows(
      lists + """
        random.seed(\(seed))
        for _ in range(1000):
            data = bytearray(plistlib.dumps(item(3), fmt=plistlib.FMT_BINARY))
            for _ in range(random.randint(1, 4)):
                end = random.choice([len(data), len(data), 32])
                data[-random.randint(1, end)] = random.choice([0, 1, 8, 0x1f, 0xff, random.randrange(256)])
            row(data)
        """)
    #expect(rows.count == 1000)
    for row in rows {
      // Failing is fine here; the expectation is to come back.
      guard let list = try? PropertyList(parsing: row[0]) else { continue }
      _ = try? list.json(maxNodes: 10_000)
      _ = try? KeyedArchive(parsing: row[0])
    }
  }

  private let lists = """
    epoch = datetime.datetime(2001, 1, 1)
    def text():
        alphabet = random.choice(['abc "\\\\/\\n', 'aé€😀\\u2028'])
        return ''.join(random.choice(alphabet) for _ in range(random.choice([0, 1, 14, 15, 16, 300])))
    def item(depth):
        kind = random.randrange(10 if depth else 7)
        if kind == 0: return random.random() < .5
        if kind == 1: return random.choice([0, 255, 256, 65536, -1, 2**63 - 1, -2**63, 2**64 - 1,
                                            random.randint(-2**63, 2**64 - 1)])
        if kind == 2: return random.choice([0.0, -0.5, 1e300, 5e-324, random.uniform(-1e6, 1e6)])
        if kind == 3: return random.randbytes(random.choice([0, 1, 15, 40]))
        if kind == 4: return epoch + datetime.timedelta(milliseconds=random.randint(-10**12, 10**13))
        if kind == 5: return plistlib.UID(random.choice([0, 255, 256, 70000, 2**40]))
        if kind == 6: return text()
        if kind <= 8: return [item(depth - 1) for _ in range(random.choice([0, 1, 5, 20]))]
        return {text() + str(i): item(depth - 1) for i in range(random.choice([0, 1, 5, 20]))}
    def plain(value):
        if isinstance(value, bytes): return base64.b64encode(value).decode()
        if isinstance(value, plistlib.UID): return {'CF$UID': value.data}
        if isinstance(value, datetime.datetime):
            return value.strftime('%Y-%m-%dT%H:%M:%S.') + '%03dZ' % (value.microsecond // 1000)
        if isinstance(value, list): return [plain(element) for element in value]
        if isinstance(value, dict): return {key: plain(element) for key, element in value.items()}
        return value

    """
}
