import Bytes
import CommandLineKit

/// What each command takes for stores of growing size, in one table.
struct Growth {
  let tool: String
  let folder: String
  let times: Int
  /// What is measured; what reads a file that another one makes needs that one, too.
  var names: [String] = []

  /// Measures the commands of a tool, each so many times.
  init(tool: String, folder: String, times: Int) {
    self.tool = tool
    self.folder = folder
    self.times = times
    names = works.map(\.name)
  }

  /// The sizes of the stores: many rows with few operations, then many operations with few rows.
  static func sizes(rows most: Int, operations: Int) -> [BenchmarkStore] {
    let rows = [100, 10, 1].map { max(1, most / $0) }
    return rows.map { BenchmarkStore(rows: $0, operations: min(1000, operations)) }
      + [200, 20, 2, 1].map {
        BenchmarkStore(rows: max(1, most / 10), operations: max(1, operations / $0))
      }
  }

  /// The commands, in an order in which each finds what it reads.
  private var works: [(name: String, command: String)] {
    let (store, out) = ("\(folder)/store.sqlite", "\(folder)/outputs")
    let canonical = "\(out)/store.rehome"
    let exports = ["json", "ndjson", "csv", "xml", "postgresql"].map { format in
      ("export-\(format)", "\(tool) export -q -f \(store) --to \(format) -o \(out)/e.\(format)")
    }
    let seeds = ["json", "ndjson", "csv", "xml"].map { format in
      ("seed-\(format)", "\(tool) seed -q -f \(out)/e.\(format) -o \(out)/seeded.rehome")
    }
    let replay = "\(tool) replay \(canonical) --on-conflict client-wins --to \(out)/target.rehome"
    return [
      ("inspect", "\(tool) inspect --json \(store) > \(out)/o"),
      ("audit", "\(tool) audit \(store) > \(out)/o"),
      ("audit-json", "\(tool) audit --json \(store) > \(out)/o"),
      ("audit-html", "\(tool) audit -q -f --html \(out)/page.html \(store)"),
      ("ops", "\(tool) ops list \(store) > \(out)/o"), ("hash", "\(tool) hash \(store) > \(out)/o"),
      ("convert", "\(tool) convert -q -f \(store) -o \(canonical)"),
      ("verify", "\(tool) verify \(store) \(canonical) > \(out)/o"),
    ] + exports + seeds + [
      ("seed-toolkit", "\(tool) seed -q -f \(out)/e.csv --into toolkit -o \(out)/toolkit.db"),
      ("replay-dry-run", "cp \(canonical) \(out)/target.rehome; \(replay) -n > \(out)/o"),
      ("replay", "\(replay) -q"),
    ]
  }

  /// Measures all commands with a store of one size, and adds a line for each to a table.
  ///
  /// - Throws: `ShellFailure` when a command fails.
  func add(_ store: BenchmarkStore, to table: inout TextTable) throws(ShellFailure) {
    try Benchmark.prepare(storeAlone: store.script, folder: folder)
    try Benchmark.clearOutputs(in: folder)
    for work in works where names.contains(work.name) {
      var runs: [Measurement] = []
      var loops: [Double] = []
      // What is replayed once has nothing left to do the second time.
      for _ in 0..<(work.name == "replay" ? 1 : times) {
        loops.append(MachineSpeed.loop())
        runs.append(try run(work.command))
      }
      let processor = median(runs.map(\.processor))
      table.addRow([
        work.name, store.rows.grouped, store.operations.grouped,
        decimal(median(runs.map(\.wall))) + " s", decimal(processor) + " s",
        decimal(processor / Double(store.rows + store.operations) * 1_000_000) + " µs",
        ((runs.map(\.peakMemory).max() ?? 0) / 1024).grouped + " MiB",
        decimal(median(loops)) + " s",
      ])
    }
  }

  private func run(_ command: String) throws(ShellFailure) -> Measurement {
    // Findings, rejects and conflicts of the made store are no failures.
    try measure(command, expected: [0, 2, 4])
  }

  /// An empty report with a heading.
  static var table: TextTable {
    TextTable(
      columns: [.init("Command")]
        + ["Rows", "Operations", "Wall", "Processor", "Each", "Memory", "Loop"].map {
          .init($0, alignment: .right)
        })
  }
}
