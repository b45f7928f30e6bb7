import Synchronization

/// A queue of bounded length from one thread to another.
///
/// One thread sends and one receives; each waits for the other where it must.
package final class Channel<Element: Sendable>: Sendable {
  private let state = Mutex(State())
  private let room: CountingSemaphore
  private let waiting = CountingSemaphore(0)

  private struct State {
    var elements: [Element] = []
    var isClosed = false
  }

  /// A channel that holds up to `capacity` elements.
  package init(capacity: Int) {
    room = CountingSemaphore(capacity)
  }

  /// Adds an element, and waits for room before.
  ///
  /// - Returns: false when the channel is closed; then the element is lost.
  package func send(_ element: Element) -> Bool {
    room.wait()
    let isOpen = state.withLock { state in
      if !state.isClosed { state.elements.append(element) }
      return !state.isClosed
    }
    if isOpen { waiting.signal() } else { room.signal() }
    return isOpen
  }

  /// Takes the oldest element, and waits for one; nil when the channel is closed and empty.
  package func receive() -> Element? {
    waiting.wait()
    let element = state.withLock { state in
      state.elements.isEmpty ? nil : state.elements.removeFirst()
    }
    // Who finds the channel closed leaves the permit for the next.
    if element == nil { waiting.signal() } else { room.signal() }
    return element
  }

  /// Ends the channel from either side; elements that were sent can still be received.
  package func close() {
    state.withLock { $0.isClosed = true }
    waiting.signal()
    room.signal()
  }
}
