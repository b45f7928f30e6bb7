import Bytes
import CommandLineKit
import Commands
import Glibc

// Before anything else is opened.
occupyClosedStreams()
returnLargeBlocks()
ignoreBrokenPipes()
SignalWatch.install(cleanup: { TemporaryPaths.removeAll() })
// A task without a thread would never begin, and nobody could stop the waiting for it.
guard WorkThread.isToBeHad else {
  // There is nowhere left to say that standard error is closed.
  try? StandardStream.error.write("rehome: the system gives no thread\n  try: run again\n")
  exit(ExitCode.temporary.rawValue)
}
// The first thread waits here and not in the loop of the concurrency runtime, for which valgrind
// has no emulation.
let answer = Channel<Int32>(capacity: 1)
Task.detached {
  _ = answer.send(
    await RehomeCommand.run(
      Array(CommandLine.arguments.dropFirst()),
      temporaryFolder: environmentText("TMPDIR") ?? "/tmp"))
}
exit(answer.receive() ?? ExitCode.internalError.rawValue)
