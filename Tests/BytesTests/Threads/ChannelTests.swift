import Bytes
import Synchronization
import Testing

struct ChannelTests {
  @Test(arguments: [1, 2, 7])
  func elementsArriveInOrder(capacity: Int) {
    let channel = Channel<Int>(capacity: capacity)
    let sender = WorkThread {
      for number in 0..<5000 { _ = channel.send(number) }
      channel.close()
    }
    var received: [Int] = []
    while let number = channel.receive() { received.append(number) }
    sender?.join()
    #expect(received == Array(0..<5000))
    #expect(channel.receive() == nil)
  }

  @Test func senderWaitsForRoom() {
    let numbers = Channel<Int>(capacity: 2)
    let sender = WorkThread {
      var taken = 0
      while numbers.send(taken) { taken += 1 }
    }
    for expected in 0..<100 { #expect(numbers.receive() == expected) }
    // The sender waits with two numbers in the channel, or is about to; closing frees it.
    numbers.close()
    sender?.join()
    var rest = 0
    while numbers.receive() != nil { rest += 1 }
    #expect(rest <= 2)
  }

  @Test func closedChannelTakesNothingAndGivesWhatItHas() {
    let channel = Channel<String>(capacity: 3)
    #expect(channel.send("a"))
    channel.close()
    #expect(!channel.send("b"))
    #expect(!channel.send("c"))
    #expect(channel.receive() == "a")
    #expect(channel.receive() == nil)
    #expect(channel.receive() == nil)
  }

  @Test func elementsWaitForAsMuchRoomAsTheyTake() {
    let channel = Channel<Int>(capacity: 4)
    let sent = Atomic(0)
    #expect(channel.send(0, weighing: 3))
    let sender = Background(threads: 2) {
      for number in 1...6 {
        // The third takes more than there is, which is when nothing else is there.
        guard channel.send(number, weighing: number == 3 ? 9 : 2) else { return false }
        sent.store(number, ordering: .sequentiallyConsistent)
      }
      return true
    }
    for number in 0...6 {
      // What is sent, and not taken, never takes more than four.
      #expect(sent.load(ordering: .sequentiallyConsistent) <= number + 1)
      #expect(channel.receive() == number)
    }
    #expect(sender.value)
  }

  @Test(arguments: [1, 3])
  func whoWaitsForRoomHearsOfTheEnd(weight: Int) {
    let channel = Channel<Int>(capacity: 3)
    #expect(channel.send(0, weighing: 3))
    let sender = Background(threads: 2) { channel.send(1, weighing: weight) }
    channel.close()
    #expect(!sender.value)
    #expect(!channel.send(2, weighing: weight))
    #expect(channel.receive() == 0)
    #expect(channel.receive() == nil)
    #expect(channel.receive() == nil)
  }
}
