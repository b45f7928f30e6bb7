import Bytes
import CommandLineKit

/// One run of the program: what to measure, and how.
struct BenchmarkRun {
  /// What the program takes.
  static let description = Command(
    name: "benchmarks", summary: "measure rehome against its peers, in turn",
    discussion: [
      "Makes a store of its own, runs each kind of work and its peer in turn, and prints how many "
        + "times as fast rehome was: the median, the spread, and its peak memory."
    ],
    options: [
      count("rows", "how many rows the store has", 1_000_000),
      count("operations", "how many operations wait", 200_000),
      count("times", "how often each kind of work is run", 5),
      Option("jobs", letter: "j", argument: .value(placeholder: "N"), help: "threads of rehome"),
      Option(
        "only", argument: .repeatableValue(placeholder: "WORK"), help: "measure only this work"),
      Option(
        "growth",
        help: "measure every command with stores that grow to --rows, then to --operations "
          + "(2,000,000 unless told)"),
      Option(
        "shapes",
        help: "measure stores that keep other things: decimals, bytes, letters beyond ASCII, trees"),
      Option("large", help: "with --growth, up to ten million rows, which takes 40 GB"),
      Option("instructions", help: "count instructions with valgrind instead of seconds"),
      Option(
        "folder", argument: .value(placeholder: "DIR", completion: .folder),
        help: "where files are made; what is there is removed",
        defaultText: "/tmp/rehome-benchmarks"),
    ],
    positionals: [Positional("TOOL", help: "the program to measure", completion: .file)])

  private let arguments: ParsedArguments

  /// A run with arguments that have been parsed.
  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// Measures and prints.
  ///
  /// - Throws: `ShellFailure` when a program is missing or fails.
  func run() throws(ShellFailure) {
    let tool = arguments.positional("TOOL")?.text ?? "rehome"
    let folder = arguments.value("folder")?.text ?? "/tmp/rehome-benchmarks"
    let store = BenchmarkStore(
      rows: number("rows", otherwise: 1_000_000),
      operations: number("operations", otherwise: 200_000))
    if arguments.flag("growth") { return try grow(tool, folder) }
    if arguments.flag("shapes") { return try compareShapes(tool, folder, rows: store.rows) }
    let isCounting = arguments.flag("instructions")
    // valgrind runs threads one after another, so one thread tells the whole work.
    let threads = isCounting ? 1 : arguments.value("jobs").flatMap { Int($0.text) }
    let all = Benchmark.all(tool: tool, folder: folder, threads: threads)
    let names = try chosen(among: all.map(\.name))
    let works = all.filter { names.contains($0.name) }
    print(
      "\(store.rows.counted("row", "rows")) of 10 columns, "
        + store.operations.counted("operation", "operations"))
    try Benchmark.prepare(store, tool: tool, folder: folder)
    let table =
      isCounting
      ? try countInstructions(works, folder, rows: store.rows) : try compare(works, folder)
    print(table.text(style: .plain))
    for peer in Benchmark.missingPeers { print("not measured, since it is not here: \(peer)") }
  }

  private func grow(_ tool: String, _ folder: String) throws(ShellFailure) {
    var growth = Growth(tool: tool, folder: folder, times: number("times", otherwise: 3))
    growth.names = try chosen(among: growth.names)
    var table = Growth.table
    let sizes = Growth.sizes(
      rows: number("rows", otherwise: arguments.flag("large") ? 10_000_000 : 1_000_000),
      operations: number("operations", otherwise: 2_000_000))
    for store in sizes { try growth.add(store, to: &table) }
    print(table.text(style: .plain))
  }

  private func compareShapes(
    _ tool: String, _ folder: String, rows: Int
  ) throws(ShellFailure) {
    let names = try chosen(among: StoreShape.all.map(\.name))
    var table = Comparison.table
    for shape in StoreShape.all where names.contains(shape.name) {
      try Benchmark.prepare(storeAlone: shape.script(rows: rows), folder: folder)
      try Benchmark.clearOutputs(in: folder)
      for work in shape.benchmarks(tool: tool, folder: folder) {
        table.addRow(
          try Comparison(work, times: number("times", otherwise: 5), folder: folder).row)
      }
    }
    print(table.text(style: .plain))
  }

  private func compare(_ works: [Benchmark], _ folder: String) throws(ShellFailure) -> TextTable {
    var table = Comparison.table
    for work in works {
      table.addRow(try Comparison(work, times: number("times", otherwise: 5), folder: folder).row)
    }
    return table
  }

  private func countInstructions(
    _ works: [Benchmark], _ folder: String, rows: Int
  ) throws(ShellFailure) -> TextTable {
    var table = TextTable(columns: [
      .init("Work"), .init("Instructions", alignment: .right), .init("A row", alignment: .right),
    ])
    for work in works {
      try Benchmark.clearOutputs(in: folder)
      let total = try InstructionCount.count(work.ours, folder: folder)
      table.addRow([work.name, total.grouped, (total / rows).grouped])
    }
    return table
  }

  private func chosen(among known: [String]) throws(ShellFailure) -> [String] {
    let names = Set(arguments.values("only").map(\.text))
    if let unknown = names.subtracting(known).min() {
      throw ShellFailure(
        description: "no work is named '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
    return known.filter { names.isEmpty || names.contains($0) }
  }

  private func number(_ name: String, otherwise: Int) -> Int {
    max(1, arguments.value(name).flatMap { Int($0.text) } ?? otherwise)
  }

  private static func count(_ name: String, _ help: String, _ usual: Int) -> Option {
    Option(
      name, argument: .value(placeholder: "N"), help: help, defaultText: usual.grouped)
  }
}
