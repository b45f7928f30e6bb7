import Glibc
import Synchronization

/// Notices SIGINT, SIGTERM, SIGHUP and SIGQUIT, so that long loops can stop in good order.
///
/// The first signal only sets a flag. The second ends the process at once. SIGQUIT is a person's, too:
/// the language's runtime would call it a crash, and go on.
package enum SignalWatch {
  /// A function that a signal handler may call: it may use only async-signal-safe functions.
  package typealias Cleanup = @convention(c) () -> Void

  /// Starts watching; signals that were ignored from the start stay ignored.
  ///
  /// Interrupted system calls are resumed, so a loop sees the flag only between them.
  /// `cleanup` runs before a second signal ends the process.
  package static func install(cleanup: Cleanup? = nil) {
    // Also makes sure that both globals exist before a handler can touch them.
    receivedSignal.store(0, ordering: .relaxed)
    // A C function pointer and an integer of its size have the same bits; 0 stands for none.
    let bits = cleanup.map { unsafe unsafeBitCast($0, to: UInt.self) } ?? 0
    cleanupBits.store(bits, ordering: .releasing)
    for number in watched { watch(number) }
    unblock()
  }

  private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Lets this thread have the signals; whoever started the process may have kept them from it.
  private static func unblock() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in watched { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The first signal that arrived, nil before any.
  package static var signalNumber: Int32? {
    let number = receivedSignal.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Whether a signal has asked the process to stop; costs one atomic load.
  package static var isInterrupted: Bool { signalNumber != nil }

  /// The exit code for the signal that arrived, as shells report it: 130 for SIGINT.
  package static var exitCode: Int32? { signalNumber.map { 128 + $0 } }

  private static func watch(_ number: Int32) {
    // The handler is a plain function that touches only atomics and calls `_exit`.
    let former = unsafe unsafeBitCast(signal(number, receive), to: UInt.self)
    let ignored = unsafe unsafeBitCast(SIG_IGN, to: UInt.self)
    // `nohup` and background jobs of a script ignore signals on purpose.
    if former == ignored { _ = signal(number, SIG_IGN) }
  }
}

private let receivedSignal = Atomic<Int32>(0)
private let cleanupBits = Atomic<UInt>(0)

/// Runs inside a signal: it must not allocate, lock or throw.
private func receive(_ number: Int32) {
  let exchange = receivedSignal.compareExchange(
    expected: 0, desired: number, ordering: .relaxed)
  guard !exchange.exchanged else { return }
  let bits = cleanupBits.load(ordering: .acquiring)
  if bits != 0 {
    // The bits were stored by `install` from a value of this very type.
    unsafe unsafeBitCast(bits, to: SignalWatch.Cleanup.self)()
  }
  _exit(128 + number)
}
