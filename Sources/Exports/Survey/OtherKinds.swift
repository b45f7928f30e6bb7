import Bytes

/// How many values of a column are of another kind than texts, by the format itself.
struct OtherKinds {
  private var numbers = 0
  private var truths = 0
  private var containers = 0

  @inline(__always)
  mutating func count(_ text: Span<UInt8>, isContainer: Bool) {
    if isContainer {
      containers &+= 1
    } else if text.count > 0, text[0] == UInt8(ascii: "t") || text[0] == UInt8(ascii: "f") {
      truths &+= 1
    } else {
      numbers &+= 1
    }
  }

  /// Both together; nil is none.
  func adding(_ other: OtherKinds?) -> OtherKinds {
    var sum = self
    sum.numbers += other?.numbers ?? 0
    sum.truths += other?.truths ?? 0
    sum.containers += other?.containers ?? 0
    return sum
  }

  /// Nil where there are none.
  var words: String? {
    let parts = [
      (numbers, "number", "numbers"), (truths, "truth value", "truth values"),
      (containers, "list or object", "lists or objects"),
    ].filter { $0.0 > 0 }.map { $0.0.counting($0.1, $0.2) }
    guard let last = parts.last else { return nil }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
