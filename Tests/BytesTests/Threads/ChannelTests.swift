import Bytes
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
}
