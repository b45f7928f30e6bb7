import Foundation
import TestSupport
import Testing

/// The reader finds what a reader in Python finds, which shares no code with it.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct IOSOracleTests {
  private static let count = 60

  @Test func randomStoresReadAsTheOracleReadsThem() throws {
    let seed = SeededGenerator(seed: 2026).seed
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let maker = ProjectFolders.oracles.appending(path: "wild_ios_stores.py").path
    _ = try Python.run(file: maker, arguments: [folder.path, "\(seed)", "\(Self.count)"])
    let before = try Fingerprint(of: folder.path)
    let report = try compare(
      folder.names.map { folder.path($0 + "/qstodoitem.sqlite") }, temporary)
    #expect(report == "\(Self.count) stores\n", "seed \(seed)")
    #expect(try Fingerprint(of: folder.path) == before)
    #expect(temporary.names.isEmpty)
  }

  @Test func samplesReadAsTheOracleReadsThem() throws {
    let temporary = try TemporaryFolder()
    let stores = Self.samples.map { $0 + "/qstodoitem.sqlite" }
    #expect(try compare(stores, temporary) == "\(stores.count) stores\n")
    #expect(temporary.names.isEmpty)
  }

  @Test(arguments: samples) func sampleReadsAsItsDescriptionExpects(sample: String) throws {
    let temporary = try TemporaryFolder()
    let reading = try StoreReading(
      ofStoreAt: sample + "/qstodoitem.sqlite", temporaryFolder: temporary.path)
    let report = try Python.run(
      Self.expectations, arguments: [sample + "/expected"], input: reading.line())
    #expect(String(decoding: report, as: UTF8.self) == "checked\n")
  }

  @Test func everySampleIsChecked() {
    #expect(Self.samples.count >= 3)
  }

  private static let samples: [String] = {
    let folder = ProjectFolders.samples
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasPrefix("ios-") }.map { folder.appending(path: $0).path }
      .filter { FileManager.default.fileExists(atPath: $0 + "/expected") }
  }()

  /// The differences that Python finds in all stores, in one process.
  private func compare(_ stores: [String], _ temporary: TemporaryFolder) throws -> String {
    var lines = Data()
    for store in stores {
      lines += try StoreReading(ofStoreAt: store, temporaryFolder: temporary.path).line()
    }
    let oracle = ProjectFolders.oracles.appending(path: "compare_readings.py").path
    return String(decoding: try Python.run(file: oracle, input: lines), as: UTF8.self)
  }

  private static let expectations = """
    import json, pathlib, sys
    reading, folder = json.load(sys.stdin), pathlib.Path(sys.argv[1])
    load = lambda name: json.loads((folder / name).read_text())["stores"][0]
    def same(what, wanted, given):
        if wanted != given: print(what, "is", given, "not", wanted)
    wanted = load("inspect.json")
    same("layout", wanted["layout"], reading["layout"])
    same("generation", wanted["generation"], reading["generation"])
    same("tables", [[table["name"], table["rows"]] for table in wanted["tables"]],
         [[name, len(reading["tables"][name]["rows"])] for name in reading["tableNames"]])
    for kind, count in wanted["queue"].items():
        given = len(reading[kind]) if kind in reading else sum(
            operation["kind"] == kind[:-1] for operation in reading["operations"])
        same(kind, count, given)
    def typed(kind, value):
        if value is None: return None
        if kind == "boolean": return bool(value)
        return float.fromhex(value) if kind == "real" else value
    rows = {}
    for name in reading["tableNames"]:
        table = reading["tables"][name]
        names = ["_pk"] + [column for column, _ in table["columns"]]
        kinds = ["key"] + [kind for _, kind in table["columns"]]
        rows[name] = [dict(zip(names, map(typed, kinds, row))) for row in table["rows"]]
        lines = [json.loads(line) for line in (folder / f"tables/{name}.ndjson").open()]
        same(name, [list(row.items()) for row in lines], [list(row.items()) for row in rows[name]])
    queue = load("audit-queue.json")
    def row(operation):
        key = operation["rowKey"]
        table = rows.get(operation["rowTable"] or operation["table"], [])
        if key is not None: return next(row for row in table if row["_pk"] == key)
        return json.loads(operation["item"]) if operation["item"] else None
    for wanted, given in zip(queue["operations"], reading["operations"], strict=True):
        given["item"] = row(given)
        same("operation", wanted, {key: given[key] for key in wanted})
    for wanted, given in zip(queue["errors"], reading["errors"], strict=True):
        for key in ("item", "serverItem", "code"):
            given[key] = json.loads(given[key]) if given[key] is not None else None
        same("error", wanted, {key: given[key] for key in wanted})
    for wanted, given in zip(queue["tokens"], reading["tokens"], strict=True):
        same("token", wanted, {key: given[key] for key in wanted})
    print("checked")
    """
}
