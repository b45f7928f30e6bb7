import Bytes

/// Sentences by numbers: those that come again and again in memory, what is beyond them in a file.
package struct RepeatedTexts: Sendable {
  private var numbers: [ExactText: Int] = [:]
  private var texts: [String] = []
  private var others = ByteSpool(memoryLimit: 64 << 10)
  private var last: (text: String, number: Int)?

  /// How many are kept in memory, and how long they are at most.
  private static let limit = 256
  private static let longest = 1 << 10

  /// No sentences yet.
  package init() {}

  /// The number of a sentence.
  package mutating func add(_ text: String) -> Int {
    if let last, hasSameBytes(last.text, text) { return last.number }
    let number = numbers[ExactText(text)] ?? addNew(text)
    last = (text, number)
    return number
  }

  private mutating func addNew(_ text: String) -> Int {
    guard texts.count < Self.limit, text.utf8.count <= Self.longest else {
      // What no file can take stays in memory.
      return Self.limit + others.append(counted: text.utf8Span.span)
    }
    texts.append(text)
    numbers[ExactText(text)] = texts.count - 1
    return texts.count - 1
  }

  /// A sentence by its number.
  package subscript(number: Int) -> String {
    number < Self.limit
      ? texts[number] : String(decoding: others.counted(at: number - Self.limit), as: UTF8.self)
  }
}
