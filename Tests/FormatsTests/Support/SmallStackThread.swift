import Foundation
import Synchronization

/// Runs work on a thread with the smallest stack that threads get by default on any platform.
///
/// An overflow ends the process, and with it the test run.
func onSmallStack(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    work()
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
}
