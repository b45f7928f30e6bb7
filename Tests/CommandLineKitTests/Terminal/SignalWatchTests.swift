import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite(.mustEnd)
struct SignalWatchTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func firstSignalOnlySetsTheFlag(number: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [number] in
      SignalWatch.install()
      guard !SignalWatch.isInterrupted else { exit(1) }
      sendAndWait(number)
      guard SignalWatch.signalNumber == number else { exit(2) }
      guard SignalWatch.exitCode == 128 + number else { exit(3) }
      exit(7)
    }
  }

  @Test func secondSignalEndsTheProcess() async {
    await #expect(processExitsWith: .exitCode(143)) {
      SignalWatch.install()
      sendAndWait(SIGINT)
      sendForever(SIGTERM)
    }
  }

  @Test func cleanupRunsBeforeTheEnd() async {
    await #expect(processExitsWith: .exitCode(9)) {
      SignalWatch.install { _exit(9) }
      sendAndWait(SIGINT)
      sendForever(SIGINT)
    }
  }

  @Test func ignoredSignalStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGHUP, SIG_IGN)
      SignalWatch.install()
      kill(getpid(), SIGHUP)
      exit(SignalWatch.isInterrupted ? 1 : 7)
    }
  }
}

/// Sends a signal to this process and waits until it has arrived; the threads that run tests block
/// signals, so another thread gets it.
private func sendAndWait(_ number: Int32) {
  kill(getpid(), number)
  while !SignalWatch.isInterrupted { sched_yield() }
}

/// Sends a signal that is expected to end this process.
private func sendForever(_ number: Int32) -> Never {
  kill(getpid(), number)
  while true { sched_yield() }
}
