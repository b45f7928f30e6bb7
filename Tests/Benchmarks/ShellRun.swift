import Glibc

/// What one command took.
struct Measurement {
  /// Seconds on the clock.
  var wall: Double
  /// Seconds of processor time, of all threads and children.
  var processor: Double
  /// The largest memory of any process, in KiB.
  var peakMemory: Int
}

/// A command of the shell that could not be run.
struct ShellFailure: Error, CustomStringConvertible {
  let description: String
}

/// Runs a command of the shell and measures it.
///
/// - Throws: `ShellFailure` when it does not start or ends with another code than `expected`.
@discardableResult
func measure(_ command: String, expected: Set<Int32> = [0]) throws(ShellFailure) -> Measurement {
  let start = seconds()
  var process: pid_t = 0
  let words = ["sh", "-c", command]
  var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
  defer { for place in unsafe arguments.indices { unsafe free(arguments[place]) } }
  let failure = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
  guard failure == 0 else { throw ShellFailure(description: "no shell: error \(failure)") }
  var status: Int32 = 0
  var usage = rusage()
  guard unsafe wait4(process, &status, 0, &usage) == process else {
    throw ShellFailure(description: "lost sight of: \(command)")
  }
  // The upper byte is the exit code where the lower seven bits tell of no signal.
  let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  guard expected.contains(code) else {
    throw ShellFailure(description: "exit code \(code): \(command)")
  }
  return Measurement(
    wall: seconds() - start, processor: usage.ru_utime.seconds + usage.ru_stime.seconds,
    peakMemory: usage.ru_maxrss)
}

/// The time of a clock that is never set back.
func seconds() -> Double {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
