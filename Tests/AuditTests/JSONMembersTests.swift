import Bytes
import Foundation
import TestSupport
import Testing

@testable import Audit

struct JSONMembersTests {
  /// Texts of all lengths around those of blocks and of a bounded size, with and without what must
  /// be escaped, at the end of what they are packed in and in the midst of it.
  @Test func membersAreReadAsTheyWereGiven() throws {
    var random = SeededGenerator(seed: 21)
    let lengths = Array(0...40) + [127, 128, 129, 510, 511, 512, 513, 4000]
    for length in lengths {
      for escapes in [0, 1, 3, 100] {
        for behind in [0, 1, 15, 16, 40] {
          let text = text(length, escapes: escapes, using: &random)
          try check(text, before: length % 9, behind: behind)
        }
      }
    }
  }

  private func check(_ text: [UInt8], before: Int, behind: Int) throws {
    let around = UInt8(ascii: "\"")
    let packed =
      [UInt8](repeating: around, count: before) + text + [UInt8](repeating: around, count: behind)
    let range = before..<before + text.count
    var json = JSONText()
    json.open("{")
    json.add("first", Int64.min)
    json.addMembers(upTo: packed.span.room(forMembers: 7, range)) { room in
      room.add("packed", range, of: packed.span)
      room.add("missing", nil, of: packed.span)
      room.add("word", word: "pending")
      room.add("none", word: nil)
      room.add("most", Int64.max)
      room.add("yes", true)
      room.add("no", false)
    }
    json.add("last", Int64(1))
    json.close("}")
    let read = try JSONSerialization.jsonObject(with: Data(json.bytes))
    let expected: [String: any Sendable] = [
      "first": Int64.min, "packed": String(decoding: text, as: UTF8.self), "missing": NSNull(),
      "word": "pending", "none": NSNull(), "most": Int64.max, "yes": true, "no": false, "last": 1,
    ]
    let object = try #require(read as? NSDictionary)
    #expect(object == expected as NSDictionary, "\(text.count) bytes, \(behind) behind them")
  }

  /// Plain text with some characters that JSON escapes, or that take several bytes.
  private func text(_ length: Int, escapes: Int, using random: inout SeededGenerator) -> [UInt8] {
    var characters = (0..<length).map { _ in "abc xyz0189".randomElement(using: &random) ?? " " }
    guard length > 0 else { return [] }
    for _ in 0..<escapes {
      let place = Int.random(in: 0..<length, using: &random)
      characters[place] = "\"\\\n\u{0}\u{1F}\u{7F}ä€😀".randomElement(using: &random) ?? " "
    }
    return Array(String(characters).utf8)
  }
}
