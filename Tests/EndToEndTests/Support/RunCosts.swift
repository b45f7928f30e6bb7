import Foundation
import TestSupport
import Testing

/// What runs of the tool take, which a busy machine changes little.
struct RunCosts {
  /// The greatest memory, in MiB.
  let memory: Double
  /// The least processor time, in seconds.
  let seconds: Double

  /// Runs a command so often, in which no file may become longer than so many bytes; each run must end
  /// with one of these codes.
  init(
    of arguments: [String], times: Int = 1, codes: Set<Int32> = [0, 2], fileSize: Int = 1 << 40
  ) throws {
    let lines = try python(
      """
      import os, resource, subprocess, sys
      # A file that is too long gives an error to this process and to those that it starts.
      resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
      for _ in range(int(sys.argv[1])):
          child = subprocess.Popen(
              sys.argv[3:], stdout=subprocess.DEVNULL, restore_signals=False)
          _, status, usage = os.wait4(child.pid, 0)
          seconds = usage.ru_utime + usage.ru_stime
          print(os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024, seconds)
      """, [String(times), String(fileSize), Project.executable.path] + arguments
    ).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.allSatisfy { Int32($0[0]).map(codes.contains) == true }, "\(lines)")
    memory = try #require(lines.compactMap { Double($0[1]) }.max())
    seconds = try #require(lines.compactMap { Double($0[2]) }.min())
  }
}
