import Records
import TestSupport
import Testing

@testable import Merging

struct DeviceItemSortTests {
  /// Few, many, and so many bytes that most wait in a file; empty texts are not missing ones.
  @Test(arguments: [0, 1, 5, 3000], [0, 10, 4000])
  func itemsComeInTheOrderOfTheirOperations(count: Int, size: Int) throws {
    var random = SeededGenerator(seed: 5)
    var sort = DeviceItemSort(count: count)
    var expected: [(place: Int, item: DeviceItem)] = []
    for place in (0..<count).shuffled(using: &random) where count < 10 || place % 3 != 1 {
      var item = DeviceItem(operation: 0, source: place % 5 == 0 ? .max : Int32(place % 7))
      item.table = place % 2 == 0 ? nil : place % 11 == 0 ? "" : "tä \(place)"
      item.item = place % 4 == 0 ? nil : random.bytes(Int.random(in: 0...size, using: &random))
      item.body = place % 5 == 0 ? nil : random.bytes(Int.random(in: 0...size, using: &random))
      item.updatedAt = place % 6 == 0 ? nil : "at \(place)"
      item.version = place % 7 == 0 ? nil : "AAE="
      // The place alone tells what it is for.
      var numbered = item
      numbered.operation = Int64(place % 3)
      try sort.add(numbered, at: place)
      expected.append((place, item))
    }
    expected.sort { $0.place < $1.place }
    var number = 0
    try sort.forEachItem { (place, item) throws(StoreError) in
      let isExpected = expected[number].place == place && expected[number].item == item
      #expect(isExpected, "\(place)")
      number += 1
    }
    #expect(number == expected.count)
  }
}
