import Formats
import TestSupport
import Testing

/// What two copies of an item mean, whichever way their values are spelled.
struct JSONMeaningTests {
  private func value(_ text: String) throws -> JSONValue {
    try parse(Array(text.utf8))
  }

  @Test(arguments: [
    (#"{"a":1,"b":null}"#, #"{"A":1.0}"#, true), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
    (#"{"a":2}"#, #"{"A":1,"a":2}"#, false),
    (#"{"a":{"b":[1,{"c":null}]}}"#, #"{"a":{"b":[1,{}]}}"#, true),
    (#"{"a":{"b":[1,{"c":0}]}}"#, #"{"a":{"b":[1,{}]}}"#, false),
  ])
  func objectsMeanTheSame(_ left: String, _ right: String, _ isSame: Bool) throws {
    let (left, right) = (try value(left), try value(right))
    #expect(means(left, right) == isSame)
    #expect(means(right, left) == isSame)
  }

  /// Each level is looked at once, or sixty of them would take for ever.
  @Test(.mustEnd) func nestedObjectsTakeTimeInProportion() throws {
    let nested = { (end: String) in
      String(repeating: #"{"a":"#, count: 60) + end + String(repeating: "}", count: 60)
    }
    #expect(means(try value(nested("1")), try value(nested("1.0"))))
    #expect(!means(try value(nested("1")), try value(nested("2"))))
  }
}
