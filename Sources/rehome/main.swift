import Bytes
import CommandLineKit
import Commands
import Glibc

returnLargeBlocks()
ignoreBrokenPipes()
SignalWatch.install(cleanup: { TemporaryPaths.removeAll() })
let code = await RehomeCommand.run(
  Array(CommandLine.arguments.dropFirst()),
  temporaryFolder: environmentValue("TMPDIR") ?? "/tmp")
exit(code)
