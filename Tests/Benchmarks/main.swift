import CommandLineKit
import Glibc

// The entry point: `Tests/benchmark` builds this program and the tool, and runs it.

do {
  let arguments = try ArgumentParser.parse(
    Array(CommandLine.arguments.dropFirst()), with: BenchmarkRun.description)
  if arguments.request == .help {
    print(HelpText.text(for: arguments.path, terminalWidth: 80, style: .plain))
  } else {
    try BenchmarkRun(arguments).run()
  }
} catch {
  print("benchmarks: \(error)")
  exit(1)
}
