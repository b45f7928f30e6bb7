import Foundation
import TestSupport
import Testing

@testable import Records
@testable import Tables

/// What the independent reader of PowerSync's stores makes of members, as the second opinion.
struct DocumentFormTests {
  private static let script = """
    sys.path.insert(0, inputs[0].decode())
    import powersync_store as oracle

    numbers = ['0', '-0', '7', '-12', '1.5', '-0.0', '1e3', '1E-3', '2.50', '1e300', '1e-400',
               '123456789012345678', '9223372036854775807', '-9223372036854775808',
               '9223372036854775808', '-9223372036854775809', '100000000000000000000', '5e-324',
               '0.1', '12345678901234567890.5', '1.0', '-3.0']
    texts = ['', '0', '-0', '7', '007', '-12', '1.5', '-1.25', '00.5', '-007.25', '.5', '1.', '1e3',
             '+5', '--1', '-', ' 7', '123456789012345678', '1234567890123456789', 'é',
             'a "b"' + chr(10) + chr(92), 'NaN', '1.5' + chr(0x301)]
    rest = ['null', 'true', 'false', '{}', '[]', '{"a":[1, 2.50]}', '[1, {"b" : "c"}]']
    values = numbers + rest + [json.dumps(each, ensure_ascii=False) for each in texts]

    def told(form, kind, value):
        try:
            found = (oracle.by_view if form == 'cast' else oracle.by_content)(kind, value)
        except (oracle.Rejected, OverflowError):
            return 'rejected'
        if found is None: return 'null'
        if kind in ('text', 'json'): return 'text ' + found
        return 'real ' + repr(float(found)) if kind == 'real' else 'integer ' + str(int(found))

    for source in values:
        value = oracle.parsed('{"k":' + source + '}')['k']
        for kind in ('text', 'integer', 'real'):
            row('cast', kind, source, told('cast', kind, value))
        own = oracle.content_type([value])
        row('content', own, source, told('content', own, value))
        # Python does not tell how this whole number was spelled.
        if source != '-0': row('content', 'json', source, told('content', 'json', value))
    """

  @Test func membersBecomeWhatTheOracleMakesOfThem() throws {
    let rows = try Python.rows(Self.script, input: [Array(ProjectFolders.oracles.path.utf8)])
    #expect(rows.count > 200)
    for row in rows {
      let fields = row.map { String(decoding: $0, as: UTF8.self) }
      let type = try #require(LogicalType(rawValue: fields[1]))
      let form: DocumentForm = fields[0] == "cast" ? .cast(type) : .content(type)
      // Once as it is, once with spaces, for which the document is built.
      for source in ["{\"k\":\(fields[2])}", "{ \"k\" : \(fields[2]) }"] {
        let told = try Self.told(form, type, source)
        #expect(told == fields[3], "\(fields)")
      }
    }
  }

  private static func told(_ form: DocumentForm, _ type: LogicalType, _ source: String) throws
    -> String
  {
    var members = DocumentMembers()
    let bytes = Array(source.utf8)
    let isObject = members.read(bytes.span)
    try #require(isObject)
    let member = try #require(members.list.first)
    let value = members.withText(member) { form.value(member.kind, $0) }
    switch value {
    case .null: return "null"
    case .integer(let number): return isWhole(type) ? "integer \(number)" : "rejected"
    // No table keeps the sign of zero.
    case .real(let number): return type == .real ? "real \(number + 0)" : "rejected"
    case .asIs: return isText(type) ? "text \(members.text(member))" : "rejected"
    case .text(let text):
      return isText(type) ? "text " + String(decoding: text, as: UTF8.self) : "rejected"
    }
  }

  private static func isWhole(_ type: LogicalType) -> Bool { type == .integer || type == .boolean }
  private static func isText(_ type: LogicalType) -> Bool { type == .text || type == .json }

  /// Documents of very many keys, each with others and in another order.
  @Test func wideTablesAreReadInWhateverOrderTheirMembersCome() throws {
    let store = try SQLStore(
      """
      \(WorkedExamples.powerSync)
      DELETE FROM "ps_data__lists";
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 60),
        key(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM key WHERE k < 79)
      INSERT INTO "ps_data__lists" SELECT 'id ' || n,
        (SELECT json_group_object('key ' || (n * 40 + iif(n % 2, k, 79 - k)), n * 100 + k) FROM key)
      FROM number;
      """)
    let read = try #require(try store.reader().read("lists"))
    let hidden = read.table.columns.filter { $0.name.hasPrefix("key ") }
    #expect(hidden.count == 61 * 40)
    #expect(hidden.allSatisfy { $0.type == .integer })
    for row in [0, 1, 30, 59] {
      let n = row + 1
      for key in [n * 40, n * 40 + 1, n * 40 + 40, n * 40 + 79] {
        let k = n % 2 == 1 ? key - n * 40 : 79 - (key - n * 40)
        #expect(read.values("key \(key)")[row] == String(n * 100 + k))
      }
      #expect(read.values("key \(n == 60 ? 40 : n * 40 + 80)")[row] == nil)
    }
  }
}
