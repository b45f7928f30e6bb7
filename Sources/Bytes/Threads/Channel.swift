import Synchronization

/// A queue of bounded length from one thread to another.
///
/// One thread sends and one receives; each waits for the other where it must. Elements may differ in
/// how much room they take.
package final class Channel<Element: Sendable>: Sendable {
  private let state = Mutex(State())
  private let room: CountingSemaphore
  private let waiting = CountingSemaphore(0)
  private let capacity: Int

  private struct State {
    var elements: [(element: Element, weight: Int)] = []
    var isClosed = false
  }

  /// A channel that holds elements which together take up to `capacity`.
  package init(capacity: Int) {
    self.capacity = capacity
    room = CountingSemaphore(capacity)
  }

  /// Adds an element, and waits for room before; one that takes more than there is waits for all.
  ///
  /// - Returns: false when the channel is closed; then the element is lost.
  package func send(_ element: Element, weighing weight: Int = 1) -> Bool {
    let weight = min(max(1, weight), capacity)
    for _ in 0..<weight {
      room.wait()
      // Who closes the channel lets one wait end, and each the next.
      guard !state.withLock(\.isClosed) else {
        room.signal()
        return false
      }
    }
    let isOpen = state.withLock { state in
      if !state.isClosed { state.elements.append((element, weight)) }
      return !state.isClosed
    }
    if isOpen { waiting.signal() } else { room.signal() }
    return isOpen
  }

  /// Takes the oldest element, and waits for one; nil when the channel is closed and empty.
  package func receive() -> Element? {
    waiting.wait()
    let first = state.withLock { state in
      state.elements.isEmpty ? nil : state.elements.removeFirst()
    }
    guard let first else {
      // Who finds the channel closed leaves the permit for the next.
      waiting.signal()
      return nil
    }
    for _ in 0..<first.weight { room.signal() }
    return first.element
  }

  /// Ends the channel from either side; elements that were sent can still be received.
  package func close() {
    state.withLock { $0.isClosed = true }
    waiting.signal()
    room.signal()
  }
}
