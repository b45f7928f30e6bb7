import Glibc

/// A number of permits that threads wait for.
///
/// Sendable because the semaphore behind the pointer is made for use by several threads, and the
/// pointer itself never changes.
@safe
final class CountingSemaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init(_ permits: Int) {
    unsafe semaphore = .allocate(capacity: 1)
    // Initialised once, before anybody else can know it.
    unsafe sem_init(semaphore, 0, UInt32(permits))
  }

  deinit {
    // Nobody waits: whoever waits holds a reference.
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Waits until there is a permit, and takes it.
  func wait() {
    // A signal may end the waiting early.
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Gives a permit.
  func signal() {
    unsafe sem_post(semaphore)
  }
}
