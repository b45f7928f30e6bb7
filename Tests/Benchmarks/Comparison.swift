import Bytes
import CommandLineKit

/// The runs of one benchmark, ours and the peer's in turn.
struct Comparison {
  let benchmark: Benchmark
  private var ours: [Measurement] = []
  private var ratios: [Double] = []
  private var loops: [Double] = []

  /// Runs both sides `times` times, the peer first, so that a machine that slows down or speeds up
  /// moves both, and neither over what another run wrote.
  init(_ benchmark: Benchmark, times: Int, folder: String) throws(ShellFailure) {
    self.benchmark = benchmark
    for _ in 0..<times {
      var peer: Measurement?
      if let command = benchmark.peer?.command {
        try Benchmark.clearOutputs(in: folder)
        peer = try measure(command)
      }
      try Benchmark.clearOutputs(in: folder)
      loops.append(MachineSpeed.loop())
      // Findings of the made store may end a run with 2, which is complete.
      let own = try measure(benchmark.ours, expected: [0, 2])
      ours.append(own)
      if let peer { ratios.append(peer.wall / own.wall) }
    }
  }

  /// A line of the report.
  var row: [String] {
    let values = ratios.isEmpty ? ours.map(\.wall) : ratios
    let unit = ratios.isEmpty ? " s" : "×"
    let middle = median(values)
    return [
      benchmark.name, benchmark.peer?.name ?? "-", decimal(benchmark.aim) + unit,
      decimal(middle) + unit, "\(decimal(values.min() ?? 0))–\(decimal(values.max() ?? 0))",
      benchmark.reachesAim(middle) ? "yes" : "no", decimal(median(ours.map(\.wall))) + " s",
      decimal(median(ours.map(\.processor))) + " s",
      ((ours.map(\.peakMemory).max() ?? 0) / 1024).grouped + " MiB",
      decimal(median(loops)) + " s",
    ]
  }

  /// An empty report with a heading.
  static var table: TextTable {
    TextTable(columns: [
      .init("Work"), .init("Against"), .init("Aim", alignment: .right),
      .init("Median", alignment: .right), .init("Spread", alignment: .right), .init("Reached"),
      .init("Wall", alignment: .right), .init("Processor", alignment: .right),
      .init("Memory", alignment: .right), .init("Loop", alignment: .right),
    ])
  }

}

/// The middle of some values.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// A number with three decimals below one, two above.
func decimal(_ value: Double) -> String {
  let scale: Double = value < 1 ? 1000 : 100
  let whole = Int((value * scale).rounded())
  let digits = String(whole % Int(scale))
  let width = value < 1 ? 3 : 2
  return "\(whole / Int(scale)).\(String(repeating: "0", count: width - digits.count))\(digits)"
}
