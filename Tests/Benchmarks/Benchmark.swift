import Glibc

/// A kind of work, what a person would do it with instead, and the aim.
struct Benchmark {
  /// What the work is called on the command line and in the report.
  let name: String
  /// Our command of the shell.
  let ours: String
  /// The peer's command and its name; nil where the aim is a time of its own.
  var peer: (name: String, command: String)?
  /// The peer's time by ours must reach this; seconds where there is no peer.
  let aim: Double

  /// Whether this many times as fast, or so many seconds, is what was aimed at.
  func reachesAim(_ value: Double) -> Bool {
    peer == nil ? value <= aim : value >= aim
  }
}

extension Benchmark {
  /// Every kind of work that has an aim, with the program to measure and the folder of its files.
  static func all(tool: String, folder: String, threads: Int?) -> [Benchmark] {
    contract(tool: tool, folder: folder, threads: threads)
      + peers(tool: tool, folder: folder, threads: threads)
  }

  private static func contract(tool: String, folder: String, threads: Int?) -> [Benchmark] {
    let shell = "sqlite3 -readonly"
    let outputs = Self.outputs(in: folder)
    let out = "\(outputs)/out"
    let store = "\(folder)/store.sqlite"
    let options = threads.map { "-j \($0) " } ?? ""
    let select = "'SELECT \(BenchmarkStore.columns) FROM ZTODOITEM'"
    let export = "\(tool) export -q \(options)\(store) --table TodoItem"
    let seed = "\(tool) seed -q \(options)-o \(outputs)/seeded.rehome"
    let json = "\(export) --to json > \(out)"
    return [
      Benchmark(
        name: "export-csv", ours: "\(export) --to csv > \(out)",
        peer: ("sqlite3 -csv", "\(shell) -csv -header \(store) \(select) > \(out)"), aim: 9),
      Benchmark(
        name: "export-json", ours: json,
        peer: ("sqlite3 -json", "\(shell) -json \(store) \(select) > \(out)"), aim: 8),
      Benchmark(
        name: "export-ndjson", ours: "\(export) --to ndjson > \(out)",
        peer: ("sqlite3 -json", "\(shell) -json \(store) \(select) > \(out)"), aim: 12),
      Benchmark(
        name: "export-xml", ours: "\(export) --to xml > \(out)",
        peer: ("sqlite3 -json", "\(shell) -json \(store) \(select) > \(out)"), aim: 6),
      Benchmark(
        name: "convert",
        ours: "\(tool) convert -q \(options)\(store) -o \(outputs)/converted.rehome",
        peer: (
          "INSERT … SELECT",
          // A store that is published has reached the disk, and so must this.
          "sqlite3 \(outputs)/floor.sqlite < \(folder)/floor.sql > /dev/null"
            + " && sync \(outputs)/floor.sqlite"
        ),
        aim: 4),
      Benchmark(
        name: "seed-csv", ours: "\(seed) \(folder)/TodoItem.csv",
        peer: (".import", "sqlite3 \(outputs)/import.sqlite < \(folder)/import.sql"), aim: 6),
      Benchmark(
        name: "seed-ndjson", ours: "\(seed) \(folder)/TodoItem.ndjson",
        peer: ("seed from CSV", "\(seed) \(folder)/TodoItem.csv"), aim: 0.6),
      Benchmark(
        name: "seed-xml", ours: "\(seed) \(folder)/rows.xml",
        peer: ("seed from CSV", "\(seed) \(folder)/TodoItem.csv"), aim: 0.6),
      Benchmark(
        name: "merge",
        ours: "\(tool) convert -q \(options)\(devices(in: folder))/* -o \(outputs)/merged.rehome",
        peer: ("one store", "\(tool) convert -q \(options)\(store) -o \(outputs)/one.rehome"),
        aim: 0.67),
      Benchmark(name: "audit", ours: "\(tool) audit -q --json \(store) > \(out)", aim: 0.4),
      Benchmark(name: "hash", ours: "\(tool) hash \(store) > \(out)", aim: 0.4),
      Benchmark(
        name: "verify", ours: "\(tool) verify \(store) \(folder)/same.rehome > \(out)", aim: 0.4),
      Benchmark(name: "start", ours: "\(tool) --version > \(out)", aim: 0.02),
    ]
  }

  /// The same rows and operations as a hundred stores, one for each device.
  private static func devices(in folder: String) -> String { "\(folder)/devices" }

  /// Where every command writes to.
  private static func outputs(in folder: String) -> String { "\(folder)/outputs" }

  /// Removes what the run before wrote, outside the time that counts.
  ///
  /// Whoever replaces a large file also waits until the old one is gone.
  static func clearOutputs(in folder: String) throws(ShellFailure) {
    try measure("rm -rf '\(outputs(in: folder))' && mkdir '\(outputs(in: folder))'")
  }

  /// The store that a script makes alone, in a folder of which nothing else is left.
  static func prepare(
    storeAlone script: String, folder: String
  ) throws(ShellFailure) {
    try measure("rm -rf '\(folder)' && mkdir -p '\(folder)'")
    try write(script, to: "\(folder)/store.sql")
    try measure("sqlite3 \(folder)/store.sqlite < \(folder)/store.sql > /dev/null")
  }

  /// The files that the benchmarks read, made once.
  static func prepare(
    _ store: BenchmarkStore, tool: String, folder: String
  ) throws(ShellFailure) {
    let source = "\(folder)/store.sqlite"
    try prepare(storeAlone: store.script, folder: folder)
    try write(floorScript(source), to: "\(folder)/floor.sql")
    try write(importScript(folder), to: "\(folder)/import.sql")
    try write(duckDBScript, to: "\(folder)/peer_duckdb.py")
    try prepare(devicesLike: store, folder: devices(in: folder))
    let export = "\(tool) export -q \(source) --table TodoItem"
    try measure("\(export) --to csv > \(folder)/TodoItem.csv")
    try measure("\(export) --to ndjson > \(folder)/TodoItem.ndjson")
    try measure("\(export) --to xml > \(folder)/rows.xml")
    try measure("\(tool) convert -q \(source) -o \(folder)/same.rehome", expected: [0, 2])
  }

  private static func prepare(
    devicesLike store: BenchmarkStore, folder: String
  ) throws(ShellFailure) {
    let count = 100
    try measure("mkdir '\(folder)'")
    for device in 0..<count {
      let rows = max(1, store.rows / count)
      let part = BenchmarkStore(
        rows: rows, operations: max(1, store.operations / count), earlier: device * rows)
      let script = "\(folder)/store.sql"
      try write(part.script, to: script)
      try measure("sqlite3 '\(folder)/\(device).sqlite' < '\(script)' > /dev/null")
    }
    try measure("rm '\(folder)/store.sql'")
  }

  /// The floor of the engine: the same rows, index and queue without any conversion.
  private static func floorScript(_ store: String) -> String {
    """
    PRAGMA journal_mode = off; PRAGMA synchronous = off;
    ATTACH '\(store)' AS source;
    CREATE TABLE TodoItem (_pk INTEGER PRIMARY KEY, complete INTEGER, sort INTEGER, createdAt REAL,
      updatedAt REAL, price REAL, id TEXT, notes TEXT, owner TEXT, text TEXT, version TEXT) STRICT;
    INSERT INTO TodoItem SELECT \(BenchmarkStore.columns) FROM source.ZTODOITEM;
    CREATE INDEX byID ON TodoItem (id);
    CREATE TABLE operation AS SELECT * FROM source.ZMS_TABLEOPERATIONS;
    """
  }

  /// What a person would type to load the CSV file into a table with a text key.
  private static func importScript(_ folder: String) -> String {
    """
    CREATE TABLE TodoItem (_pk INTEGER, complete, sort INTEGER, createdAt, updatedAt, price REAL,
      id TEXT PRIMARY KEY, notes, owner, text, version);
    .import --csv --skip 1 \(folder)/TodoItem.csv TodoItem
    """
  }

  private static func write(_ text: String, to path: String) throws(ShellFailure) {
    guard let file = unsafe fopen(path, "w") else {
      throw ShellFailure(description: "cannot write \(path)")
    }
    let isWritten = unsafe fputs(text, file) >= 0
    guard unsafe fclose(file) == 0, isWritten else {
      throw ShellFailure(description: "cannot write \(path)")
    }
  }
}
