import Foundation
import TestSupport
import Testing

/// A run needs a thread besides the first one.
struct ThreadTests {
  /// The user has no other process; who is root may have as many threads as there are.
  @Test(.enabled(if: Project.isRoot && Stranger.canRunTheTool, "needs another user"))
  func runWithoutAThreadEndsAndSaysWhy() async throws {
    let line = """
      exec timeout -s KILL 60 setpriv --reuid=64998 --regid=64998 --clear-groups \\
        bash -c 'ulimit -u 1; exec "$0" --version' "$0"
      """
    let outcome = try await Program.bash.runApart(["-c", line, Project.executable.path])
    #expect(outcome.code == 75)
    #expect(outcome.error == "rehome: the system gives no thread\n  try: run again\n")
  }
}
