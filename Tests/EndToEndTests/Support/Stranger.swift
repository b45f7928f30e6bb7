import Foundation

/// Somebody without rights: this user, or nobody where this user is root, who may read everything.
enum Stranger {
  /// Whether tests that need somebody else can run.
  static let canRunTheTool = (try? run(["--version"]))?.code == 0

  /// Runs the tool as that user.
  static func run(_ arguments: [String]) throws -> Outcome {
    guard Project.isRoot else { return try Program.rehome.run(arguments) }
    let line = #"exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@""#
    return try Program.bash.run(["-c", line, Project.executable.path] + arguments)
  }
}
