import Formats
import Testing

@testable import SyncSDKs

/// What a payload says of an item goes over its row, and is spelled as rows are.
struct PayloadOverRowTests {
  @Test(arguments: [
    (#""mine""#, #""server""#, #""mine""#), ("null", #""server""#, "null"),
    (#""x""#, "null", #""x""#),
    // What means the same is spelled as the row has it.
    ("5", "5.0", "5.0"), ("true", "1", "1"),
    (
      #""2024-05-01T10:20:30.1Z""#,
      #""2024-05-01T10:20:30.100000000Z""#, #""2024-05-01T10:20:30.100000000Z""#
    ),
    (#"{"b":"x","a":null}"#, #""{\"b\":\"x\"}""#, #""{\"b\":\"x\"}""#),
    // SQLite has no truth, and keeps lists as texts.
    ("false", "1", "0"), ("true", "null", "1"), ("[1,2]", #""[1]""#, #""[1,2]""#),
    ("[1,2]", "null", #""[1,2]""#), ("7", #""5""#, #""7""#), (#""5""#, "5", "5"),
    // A person may have told the types of columns.
    ("true", "false", "true"), (#""13.5""#, "12.5", "13.5"), ("[2]", "[1]", "[2]"),
    // A parent is no key, and what Flutter wraps is no list.
    (#"{"id":"b1"}"#, #""b0""#, #""b0""#),
    (#"[{"customTypeSchema":{},"serializedData":{"a":2}}]"#, #""[{\"a\":1}]""#, #""[{\"a\":1}]""#),
  ])
  func valueIsSpelledAsInARow(_ payload: String, _ row: String, _ sent: String) throws {
    let values = try [payload, row].map { try JSONValue(parsing: Array($0.utf8).span) }
    #expect(values[0].spelled(besideRow: values[1]).jsonText == sent)
  }

  @Test func whatAPayloadDoesNotNameIsTheRows() {
    let objects = [
      #"{"id":"1","a":"s","b":2,"ref":"x"}"#, #"{"id":"1","a":"m","parent":{"id":"y"},"c":3}"#,
    ].map { JSONObject(parsing: Array($0.utf8).span) ?? JSONObject() }
    let sent = objects[0].updated(by: objects[1])
    #expect(String(decoding: sent.json, as: UTF8.self) == #"{"id":"1","a":"m","b":2,"ref":"x"}"#)
  }
}
