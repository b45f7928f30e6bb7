import Foundation
import TestSupport
import Testing

/// Of tables that are left out of stores of several devices only the queue stays, as of one device.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct KeptTablesTests {
  private let folder: TemporaryFolder
  private let devices: [String]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    devices = try ["a", "b"].map { name in
      try CordovaStore.make(
        "\(name).db", in: folder,
        """
        CREATE TABLE diary (id TEXT PRIMARY KEY, text TEXT, version TEXT);
        INSERT INTO diary VALUES ('1', 'secret of \(name)', 'V\(name)'),
          ('of \(name)', 'secret, too', 'V');
        INSERT INTO note VALUES ('\(name)', 1, 'V');
        INSERT INTO __operations VALUES (1, 'diary', 'update', '1', '{}'),
          (2, 'diary', 'insert', 'of \(name)', '{}'), (3, 'note', 'update', '\(name)', '{}'),
          (4, 'diary', 'delete', 'old', '{"version":"V"}');
        """)
    }
  }

  /// The ways to a store of several devices of which a table is left out.
  private static let ways = ["merged", "before", "behind", "json", "xml", "csv", "seeded"]

  /// Goes a way, and gives what it leads to.
  private func go(
    _ way: String, _ stores: [String], without table: String
  ) async throws -> String {
    let options = ["--fail-on", "never", "--exclude-table", table]
    let made = folder.path(way + ".rehome")
    func convert(_ inputs: [String], to output: String, _ options: [String] = []) async {
      let outcome = await rehome(["convert", "-qf", "-o", output] + inputs + options)
      #expect(outcome.code == 0 || outcome.code == 2, "\(way): \(outcome.error)")
    }
    if way == "merged" {
      await convert(stores, to: made, options)
      return made
    }
    if way == "before" {
      let parts = stores.indices.map { folder.path("part-\($0).rehome") }
      for (store, part) in zip(stores, parts) { await convert([store], to: part, options) }
      await convert(parts, to: made, ["--fail-on", "never"])
      return made
    }
    let whole = folder.path("whole.rehome")
    await convert(stores, to: whole, ["--fail-on", "never"])
    if way == "behind" {
      await convert([whole], to: made, options)
      return made
    }
    let format = way == "seeded" ? "json" : way
    let export = folder.path(way == "csv" ? "bundle" : "all." + format)
    let isFirst = way != "seeded"
    _ = await rehome(
      ["export", "-qf", whole, "--to", format, "-o", export] + (isFirst ? options : []))
    guard !isFirst else { return export }
    await convert([export], to: made, options)
    return made
  }

  @Test(arguments: ways)
  func nothingOfOtherRowsIsMade(_ way: String) async throws {
    let made = try await go(way, devices, without: "diary")
    let found = try python(
      """
      import pathlib, sys
      made = pathlib.Path(sys.argv[1])
      files = [made] if made.is_file() else sorted(made.iterdir())
      print(len(files) > 0, sum(file.read_bytes().count(b'secret') for file in files))
      """, made)
    #expect(found == "True 0\n")
  }

  @Test func everyWayLeadsToTheSame() async throws {
    var hashes: Set<Substring> = []
    var plans: Set<String> = []
    for way in Self.ways {
      let made = try await go(way, devices, without: "diary")
      hashes.insert(await rehome("hash", "-q", made).text.prefix(64))
      plans.insert(await rehome("replay", "--dry-run", made).text)
    }
    #expect(hashes.count == 1 && plans.count == 1, "\(hashes) \(plans)")
    let plan = try #require(plans.first)
    #expect(plan.contains("4 requests") && plan.contains("4 operations not sent"), "\(plan)")
  }

  /// Reports count the changes that a replay does not send for want of their rows, and the others.
  @Test(arguments: ["merged", "behind"])
  func changesAreToldAsAReplaySendsThem(_ way: String) async throws {
    let made = try await go(way, devices, without: "diary")
    let told = try Devices.query(
      made, "SELECT severity, message FROM rehome_finding WHERE code = 'not-carried-over'")
    let lines = told.split(separator: "\n")
    func count(_ severity: String) -> Int {
      lines.filter { $0.hasPrefix(severity) }.compactMap { $0.split(separator: " ").last }
        .reduce(0) { $0 + (Int($1) ?? 0) }
    }
    #expect(count("warning") == 4 && count("note") == 2, "\(told)")
  }

  /// What SDKs keep in their queues themselves stays there, and is sent.
  @Test(arguments: [
    "amplify-ios-2024", "cordova-2017", "dotnet-2019", "ios-2016", "powersync-2025", "toolkit-2025",
    "watermelon-2024",
  ])
  func payloadsStayWithoutTheirRows(_ name: String) async throws {
    let sample = Sample(name: name).store()
    let alone = folder.path("alone.rehome")
    _ = await rehome("convert", "-q", sample, "--exclude-table", "*", "-o", alone)
    let items = "SELECT item FROM rehome_operation ORDER BY sequence"
    let known = try Devices.query(alone, items)
    for way in ["merged", "before", "behind", "seeded"] {
      let made = try await go(way, [sample, sample], without: "*")
      #expect(try Devices.query(made, items) == known + known, "\(way)")
      let hasItems = try Devices.query(
        made, "SELECT count(*) FROM sqlite_master WHERE name = 'rehome_device_item'")
      guard hasItems == "1\n" else { continue }
      #expect(
        try Devices.query(made, "SELECT count(item) + count(body) FROM rehome_device_item") == "0\n"
      )
    }
  }

  /// Sets of changes of Parse are sent without rows; what other devices have is left out all the same.
  @Test func setsOfChangesAreSentAndRowsAreNot() async throws {
    let parse = try ["p", "q"].map { try Devices.makeParse($0, in: folder, "Game=1") }
    let made = try await go("behind", parse, without: "Game")
    #expect(
      try Devices.query(
        made,
        """
        SELECT (SELECT count(item) FROM rehome_operation),
          (SELECT count(*) FROM sqlite_master WHERE name = 'rehome_device_item')
        """) == "0|0\n")
    let plan = await rehome("replay", "--dry-run", made).text
    #expect(plan.contains("2 requests") && plan.contains("0 operations not sent"), "\(plan)")
    let mixed = try await go("behind", [parse[0]] + devices, without: "diary")
    let secrets = try Devices.query(
      mixed,
      """
      SELECT count(*) FROM rehome_operation AS o LEFT JOIN rehome_device_item ON operation = sequence
      WHERE o.item LIKE '%secret%' OR body LIKE '%secret%'
      """)
    #expect(secrets == "0\n")
    let told = try Devices.query(
      mixed, "SELECT count(*) FROM rehome_finding WHERE code = 'not-carried-over'")
    #expect(told == "2\n")
  }
}
