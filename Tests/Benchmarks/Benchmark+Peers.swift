/// What people use besides the `sqlite3` shell, where the machine has it.
extension Benchmark {
  /// The same works against DuckDB with its SQLite scanner, and against `sqlite-utils`.
  static func peers(tool: String, folder: String, threads: Int?) -> [Benchmark] {
    let out = "\(folder)/outputs/out"
    let store = "\(folder)/store.sqlite"
    let options = threads.map { "-j \($0) " } ?? ""
    let export = "\(tool) export -q \(options)\(store) --table TodoItem --to"
    let seed = "\(tool) seed -q \(options)-o \(folder)/outputs/seeded.rehome"
    var works: [Benchmark] = []
    if isThere(duckDBProbe) {
      let formats = [
        ("csv", "HEADER"), ("ndjson", "FORMAT json"), ("json", "FORMAT json, ARRAY true"),
      ]
      for (format, options) in formats {
        let query =
          "COPY (SELECT \(BenchmarkStore.columns) FROM s.ZTODOITEM) TO '\(out)' (\(options))"
        works.append(
          Benchmark(
            name: "export-\(format)-duckdb", ours: "\(export) \(format) > \(out)",
            peer: (
              "DuckDB COPY", "python3 \(folder)/peer_duckdb.py \(store) \"\(query)\""
            ), aim: 5))
      }
    }
    if isThere("sqlite-utils --version") {
      let query = "'SELECT \(BenchmarkStore.columns) FROM ZTODOITEM'"
      works.append(
        Benchmark(
          name: "export-csv-utils", ours: "\(export) csv > \(out)",
          peer: ("sqlite-utils --csv", "sqlite-utils query \(store) \(query) --csv > \(out)"),
          aim: 9))
      works.append(
        Benchmark(
          name: "seed-csv-utils", ours: "\(seed) \(folder)/TodoItem.csv",
          peer: (
            "sqlite-utils insert",
            "sqlite-utils insert \(folder)/outputs/utils.sqlite T \(folder)/TodoItem.csv --csv"
          ), aim: 6))
    }
    return works
  }

  /// The names of peers that are left out, since the machine does not have them.
  static var missingPeers: [String] {
    [
      isThere(duckDBProbe) ? nil : "DuckDB with its SQLite scanner",
      isThere("sqlite-utils --version") ? nil : "sqlite-utils",
    ].compactMap(\.self)
  }

  /// Runs one query over a SQLite file, with the threads that the contract is measured with; without
  /// arguments it only finds out whether it could.
  ///
  /// The scanner comes as a package of its own, or else from where DuckDB itself gets it.
  static let duckDBScript = """
    import glob, os, sys
    import duckdb
    base = duckdb.connect()
    try:
        import duckdb_extension_sqlite_scanner as scanner
        folder = os.path.dirname(scanner.__file__)
        found = glob.glob(folder + "/**/*.duckdb_extension", recursive=True)
        base.execute(f"LOAD '{found[0]}'")
    except ImportError:
        base.execute("INSTALL sqlite")
        base.execute("LOAD sqlite")
    if len(sys.argv) > 1:
        base.execute("SET threads = 2")
        base.execute(f"ATTACH '{sys.argv[1]}' AS s (TYPE sqlite, READ_ONLY)")
        base.execute(sys.argv[2])
    """

  private static let duckDBProbe = "python3 - <<'PYTHON'\n\(duckDBScript)\nPYTHON\n"

  private static func isThere(_ command: String) -> Bool {
    // A command that cannot be run is a peer that is not there.
    (try? measure("{ \(command)\n} > /dev/null 2>&1")) != nil
  }
}
