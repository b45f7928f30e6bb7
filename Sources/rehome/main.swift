import Bytes
import CommandLineKit
import Commands
import Glibc

// Before anything else is opened.
occupyClosedStreams()
returnLargeBlocks()
ignoreBrokenPipes()
SignalWatch.install(cleanup: { TemporaryPaths.removeAll() })
// The first thread waits here and not in the loop of the concurrency runtime, for which valgrind
// has no emulation.
let answer = Channel<Int32>(capacity: 1)
Task.detached {
  _ = answer.send(
    await RehomeCommand.run(
      Array(CommandLine.arguments.dropFirst()),
      temporaryFolder: environmentValue("TMPDIR") ?? "/tmp"))
}
exit(answer.receive() ?? ExitCode.internalError.rawValue)
