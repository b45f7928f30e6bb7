import Records
import TestSupport
import Testing

@testable import SyncSDKs
@testable import Tables

/// Section 3 of the format's description, line by line.
struct JSONPayloadTests {
  private func payload(_ text: String) -> JSONPayload { JSONPayload(.binary(Array(text.utf8))) }

  @Test(arguments: [
    (#"{"type":0}"#, OperationKind.insert), (#"{"type":1}"#, .update), (#"{"type":2}"#, .delete),
    (#"{"type":"2"}"#, .delete), (#"{"type":"0"}"#, .insert), (#"{"type":1.0}"#, .update),
    (#" { "type" : 1 } "#, .update), (#"{"item":{},"type":2}"#, .delete),
  ])
  func typeGivesTheKind(text: String, kind: OperationKind) {
    #expect(payload(text).kind("type") == kind)
  }

  @Test(arguments: [
    "{}", #"{"type":3}"#, #"{"type":-1}"#, #"{"type":"x"}"#, #"{"type":""}"#, #"{"type":null}"#,
    #"{"type":true}"#, #"{"type":0.5}"#, #"{"type":[0]}"#, #"{"type":1e99}"#, #"{"Type":0}"#,
    #"{"type":9223372036854775808}"#, #"{"type":" 2"}"#,
  ])
  func anyOtherTypeIsNoKind(text: String) {
    #expect(payload(text).isObject)
    #expect(payload(text).kind("type") == nil)
  }

  @Test(arguments: [
    "", "[]", "0", "null", "\"x\"", "garbage", #"{"type":0"#, #"{"type":0}x"#, "\u{FEFF}{}",
    #"{"type":0,"type":1}"#, #"{"type":NaN}"#, "{\"a\":\"\u{1}\"}",
  ])
  func whatIsNoObjectSaysNothing(text: String) {
    #expect(!payload(text).isObject)
    #expect(payload(text).kind("type") == nil)
    #expect(payload(text).json("item") == nil)
    #expect(JSONPayload.objectBytes(of: .text(Array(text.utf8))) == nil)
  }

  /// Those of which nothing is built, and those that must be.
  @Test(arguments: [
    "{}", #"{"a":1}"#, #" { "a" : [1e5] } "#, #"{"a":{"b":"\n"},"c":null}"#,
    #"{"\u0061":"\ud83d\ude00"}"#,
  ])
  func bytesOfAnObjectAreThoseThatAreStored(text: String) {
    let bytes = Array(text.utf8)
    #expect(JSONPayload.objectBytes(of: .text(bytes)) == bytes)
    #expect(JSONPayload.objectBytes(of: .binary(bytes)) == bytes)
  }

  @Test func bytesThatAreNotTextAndOtherClassesSayNothing() {
    #expect(!JSONPayload(.binary([0x7B, 0x80, 0x7D])).isObject)
    #expect(!JSONPayload(.integer(0)).isObject)
    #expect(!JSONPayload(.real(0)).isObject)
    #expect(!JSONPayload(nil).isObject)
    #expect(JSONPayload.objectBytes(of: .binary([0x7B, 0x80, 0x7D])) == nil)
    #expect(JSONPayload.objectBytes(of: .integer(0)) == nil)
    #expect(JSONPayload.objectBytes(of: nil) == nil)
    #expect(JSONPayload(.text(Array(#"{"type":2}"#.utf8))).kind("type") == .delete)
  }

  @Test func deepNestingSaysNothing() {
    let clock = ThreadClock()
    let deep = String(repeating: "[", count: 200_000)
    #expect(!payload(#"{"type":2,"item":"# + deep).isObject)
    #expect(clock.seconds < 60)
  }

  @Test func emptyTextIsNotMissing() {
    let errors = payload(#"{"description":"","table":null,"itemId":5}"#)
    #expect(errors.text("description") == "")
    #expect(errors.text("table") == nil)
    #expect(errors.text("itemId") == nil)
  }

  @Test func numbersKeepAll64Bits() {
    let numbers = payload(
      #"{"a":9223372036854775807,"b":"-9223372036854775808","c":412,"d":4.0,"e":4.5}"#)
    #expect(["a", "b", "c", "d", "e"].map { numbers.integer($0) } == [.max, .min, 412, 4, nil])
  }

  @Test(arguments: [
    (#"{"type":2,"item":{"version":"N","__version":"O","ms_version":"M"}}"#, "N", "O"),
    (#"{"type":2,"item":{"__version":"O","ms_version":"M"}}"#, "O", "O"),
    (#"{"type":2,"item":{"version":"N","ms_version":"M"}}"#, "N", "M"),
    (#"{"type":2,"item":{"ms_version":"M","version":null}}"#, "M", "M"),
    (#"{"type":2,"item":{"version":5}}"#, nil, nil), (#"{"type":2,"item":[]}"#, nil, nil),
    (#"{"type":2}"#, nil, nil), (#"{"type":2,"version":"x"}"#, nil, nil),
  ])
  func deletesVersionHasThreeSpellings(text: String, newFirst: String?, oldFirst: String?) {
    let version = { (generation: IOSGeneration) in
      payload(text).version(
        ofItem: "item", under: IOSNames.versionKeys(of: generation).map(\.description))
    }
    #expect(version(.g2) == newFirst)
    #expect([version(.g0), version(.g1)] == [oldFirst, oldFirst])
  }

  @Test func itemKeepsItsKeysOrderAndNumbers() {
    let text = #"{"z":1.50,"a":12345678901234567890,"d":"2016-10-01T09:15:30.123Z","n":null}"#
    let item = payload(#"{"type":2,"item":\#(text)}"#).json("item")
    #expect(item.map { String(decoding: $0, as: UTF8.self) } == text)
  }
}
