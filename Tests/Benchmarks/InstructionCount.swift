import Glibc

/// How many instructions a command executes, which repeats to one in a thousand where seconds do
/// not; valgrind has no SHA instructions, so hashes weigh more than they do.
enum InstructionCount {
  /// Counts with valgrind, on one thread.
  ///
  /// - Throws: `ShellFailure` when valgrind is missing or the command fails.
  static func count(_ command: String, folder: String) throws(ShellFailure) -> Int {
    let log = "\(folder)/callgrind.log"
    let valgrind =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=\(log) \(command)"
    try measure(valgrind, expected: [0, 2])
    // The last line that names the total is `==1== Collected : 123`.
    let answer = "\(folder)/callgrind.count"
    try measure("sed -n 's/.*Collected : //p' \(log) > \(answer)")
    guard let file = unsafe fopen(answer, "r") else {
      throw ShellFailure(description: "valgrind gave no count")
    }
    defer { unsafe fclose(file) }
    var total = 0
    while case let byte = unsafe fgetc(file), byte >= 48, byte <= 57 {
      total = total * 10 + Int(byte - 48)
    }
    return total
  }
}
