import Foundation
import TestSupport
import Testing

/// Whatever a store holds, JSON that is printed is JSON, and says the same.
struct PrintedJSONTests {
  /// Texts that act on terminals, hide, or have a meaning in JSON.
  static let wild =
    "a\"b\\c\n\t\r\u{8}\u{1B}[31m\u{0}👩\u{200D}👧❤\u{FE0F}\u{202E}\u{2028}\u{FEFF}\u{E0041}/</script>"

  private let folder: TemporaryFolder
  private let store: String

  init() async throws {
    folder = try TemporaryFolder()
    store = folder.path("wild.rehome")
    let convert = await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store)
    #expect(convert.code == 0)
    _ = try python(
      #"""
      import json, sqlite3, sys
      wild = json.loads(sys.argv[2])
      db = sqlite3.connect(sys.argv[1])
      db.execute('UPDATE TodoItem SET text = ?', (wild,))
      db.execute('UPDATE rehome_error SET message = ?', (wild,))
      for table, key in (('rehome_operation', 'sequence'), ('rehome_error', 'rowid')):
          for column in ('item', 'serverItem'):
              if column not in [c[1] for c in db.execute(f'PRAGMA table_info({table})')]: continue
              for place, item in db.execute(f'SELECT {key}, {column} FROM {table}').fetchall():
                  if not item: continue
                  item = json.loads(item); item['text'] = wild; item['nested'] = {'a': 'one\ntwo'}
                  db.execute(f'UPDATE {table} SET {column} = ? WHERE {key} = ?', (json.dumps(item, ensure_ascii=False), place))
      db.commit()
      """#, store, try json(Self.wild))
  }

  private func json(_ text: String) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed),
      as: UTF8.self)
  }

  /// How many documents a text is, and how often the wild text is in them.
  private func read(_ text: String, lines: Bool = false) throws -> (documents: Int, wild: Int) {
    let file = try folder.write(text.utf8, to: "printed")
    let answer = try python(
      #"""
      import json, sys
      wild, lines = json.loads(sys.argv[2]), sys.argv[3] == 'true'
      text = open(sys.argv[1], newline='').read()
      documents = [json.loads(l) for l in text.split('\n') if l] if lines else [json.loads(text)]
      def count(value):
          if isinstance(value, dict): return sum(map(count, value.values()))
          if isinstance(value, list): return sum(map(count, value))
          return int(value == wild)
      print(len(documents), sum(map(count, documents)))
      """#, file, try json(Self.wild), "\(lines)"
    ).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    return (answer[0], answer[1])
  }

  @Test(arguments: [
    ["inspect", "--json"], ["audit", "--json"], ["hash", "--json"], ["ops", "list", "--json"],
    ["replay", "--dry-run", "--json"], ["export", "--to", "json"],
  ])
  func documentIsJSON(command: [String]) async throws {
    let printed = await rehome(command + [store])
    #expect([0, 2].contains(printed.code), "\(printed.error)")
    let found = try read(printed.text)
    #expect(found.documents == 1)
    if !["inspect", "hash"].contains(command[0]) { #expect(found.wild > 0, "\(command)") }
  }

  /// A person may have changed what a store of several keeps of a device's row.
  @Test(arguments: [["audit", "--json"], ["ops", "list", "--json"]])
  func rowOfADeviceThatIsNoJSONIsAText(command: [String]) async throws {
    let merged = folder.path("merged.rehome")
    let stores = ["ios-2016", "ios-2015"].map { Sample(name: $0).store() }
    #expect(await rehome(["convert", "-qf", "-o", merged] + stores).code <= 2)
    _ = try python(
      """
      import json, sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          wild = json.loads(sys.argv[2])
          change = db.execute('UPDATE rehome_device_item SET item = ?', (wild,))
          assert change.rowcount > 0
      """, merged, try json(Self.wild))
    let printed = await rehome(command + [merged])
    #expect([0, 2].contains(printed.code), "\(printed.error)")
    #expect(try read(printed.text).wild > 0)
  }

  @Test(arguments: [["find", "--json"], ["export", "--to", "ndjson", "--table", "TodoItem"]])
  func linesAreJSON(command: [String]) async throws {
    let printed = await rehome(command + [store])
    #expect(printed.code == 0, "\(printed.error)")
    #expect(try read(printed.text, lines: true).documents > 0)
  }

  @Test func otherReportsAreJSON() async throws {
    let other = folder.path("other.rehome")
    _ = try read(await rehome("convert", "--json", store, "-o", other).text)
    #expect(
      try read(await rehome("verify", "--json", store, Sample(name: "ios-2016").store()).text).wild
        > 0)
    #expect(try read(await rehome("ops", "show", "--json", store, "4").text).wild > 0)
    _ = try read(await rehome("explain", "--json").text)
    _ = try read(await rehome("ops", "drop", "--json", "--why", Self.wild, store, "4").text)
  }

  /// What is shown to a person as JSON can be copied as JSON, and holds nothing that acts.
  @Test func bodiesThatAreShownAreJSON() async throws {
    let plan = await rehome("replay", store, "--dry-run")
    #expect(plan.code == 0, "\(plan.error)")
    let bodies = plan.text.split(separator: "\n").filter { $0.hasPrefix("  {") }
    #expect(bodies.count >= 4)
    let found = try read(bodies.joined(separator: "\n"), lines: true)
    #expect(found.documents == bodies.count && found.wild > 0)
    #expect(!plan.text.contains("\\u{"))
    for scalar in plan.text.unicodeScalars {
      #expect(!["\u{200D}", "\u{202E}", "\u{1B}", "\u{2028}", "\u{FEFF}"].contains(scalar))
    }
    let shown = await rehome("ops", "show", store, "5").text.split(separator: "\n")
    let payload = try #require(shown.first { $0.contains("deleted item: ") })
    _ = try read(String(payload.split(separator: ": ", maxSplits: 1)[1]))
  }

  /// A line break within a value that is no text is a line break on the page, too.
  @Test func pageBreaksLinesWhereValuesDo() async throws {
    let page = await rehome("audit", "--html", "-", store)
    #expect(page.text.contains("one\ntwo") && !page.text.contains("one\\ntwo"))
  }
}
