import Bytes
import TestSupport
import Testing

@testable import Formats

/// Objects whose keys are known, against the same objects read token by token.
struct SpelledKeysTests {
  private static let names = ["_pk", "id", "näme", "say \"yes\"", "back\\slash", "", "id2"]

  private static let keys = {
    var keys = SpelledKeys()
    for name in names { keys.append(Array(name.utf8)) }
    return keys
  }()

  /// A token with its text and place; a key that was taken says so with `taken`.
  private struct Seen: Equatable {
    let token: JSONReader.Token
    let text: [UInt8]
    let offset: Int
  }

  /// Reads a file, taking keys where that is possible; how many were, and how it ended.
  private func read(
    _ path: String, takesKeys: Bool
  ) throws -> (tokens: [Seen], taken: Int, trouble: String?) {
    var reader = JSONReader(try ByteStream(opening: path), framing: .lines)
    var (seen, taken): ([Seen], Int) = ([], 0)
    func note(_ token: JSONReader.Token) {
      let hasText = [.key, .string, .number].contains(token)
      seen.append(
        Seen(token: token, text: hasText ? reader.text : [], offset: reader.tokenOffset))
    }
    do {
      while true {
        let index = Self.names.indices.first { takesKeys && reader.takeKey($0, of: Self.keys) }
        if let index {
          #expect(reader.text == Array(Self.names[index].utf8))
          taken += 1
          note(.key)
        } else {
          guard let token = try reader.next() else { return (seen, taken, nil) }
          note(token)
        }
      }
    } catch {
      return (seen, taken, "\(error)")
    }
  }

  private func compare(_ text: String, taken: Int? = nil) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "x")
    let expected = try read(path, takesKeys: false)
    let found = try read(path, takesKeys: true)
    #expect(found.tokens == expected.tokens, "\(text.suffix(200))")
    #expect(found.trouble == expected.trouble, "\(text.suffix(200))")
    if let taken { #expect(found.taken == taken) }
  }

  @Test(arguments: [
    (#"{"_pk":1,"id":"a","näme":null}"#, 3), (#"{"_pk": 1, "id": "a"}"#, 2),
    (#"{ "_pk" :1,  "id":2}"#, 0), (#"{"say \"yes\"":1,"back\\slash":2}"#, 0),
    (#"{"":1,"id2":{"id":[{"id":1},"id"]}}"#, 4), (#"{"\u0069d":1,"idx":2}"#, 0),
    (#"{"id":1}"# + "\n" + #"{"id":2}"#, 2),
  ])
  func keysAreTakenInTheirUsualSpelling(_ text: String, _ taken: Int) throws {
    try compare(text, taken: taken)
  }

  @Test(arguments: [
    #"{"say "yes"":1}"#, #"{"id":1"id":2}"#, #"{,"id":1}"#, #"{"id":,"id":2}"#, #"["id":1]"#,
    #"[1,"id":1]"#, #""id":1"#, #"{"id":1,}"#, #"{"id":"#, #"{"id":1,"id2""#, #"{"id""#,
    #"{"a":1,"#,
  ])
  func troubleIsFoundAtTheSamePlace(_ text: String) throws {
    try compare(text)
  }

  @Test func damagedRowsReadTheSame() throws {
    var random = SeededGenerator(seed: 51)
    let values = ["1", "-2.5e3", "\"x\\n\"", "null", "true", "[1,{\"id\":2}]", "\"ä\"", "{}"]
    for _ in 0..<400 {
      let members = (0..<Int(random.next() % 9)).map { _ in
        "\"\(Self.names.randomElement(using: &random) ?? "")\":"
          + (values.randomElement(using: &random) ?? "")
      }
      var text = Array(("{" + members.joined(separator: ",") + "}\n").utf8)
      if random.next() & 1 == 0 {
        let damage = [",", "\"", "}", " ", ":", "\\", "7"].randomElement(using: &random) ?? ""
        text.insert(contentsOf: damage.utf8, at: Int(random.next() % UInt64(text.count)))
      }
      try compare(String(decoding: text, as: UTF8.self))
    }
  }

  /// Wherever the reader's buffer ends, texts stay what they are.
  @Test func everyBoundaryOfTheBufferIsCrossed() throws {
    let text = #"{"_pk":12,"id":"a\"b","näme":-1.5,"id2" : "plain"}"#
    for pad in (65_536 - text.utf8.count - 1)...65_536 {
      try compare("\"" + String(repeating: "x", count: pad - 3) + "\"\n" + text)
    }
  }
}
