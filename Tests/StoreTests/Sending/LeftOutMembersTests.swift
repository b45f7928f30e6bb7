import Bytes
import Formats
import Records
import Testing

@testable import SyncSDKs

/// What an item of the Community Toolkit lacks stands for the default values of its types.
struct LeftOutMembersTests {
  private static let table = Table(
    name: "Todos",
    columns: [
      Column(name: "Id", type: .text, role: .id), Column(name: "Title", type: .text),
      Column(name: "IsComplete", type: .integer), Column(name: "Priority", type: .integer),
      Column(name: "Price", type: .text), Column(name: "URLText", type: .text),
      Column(name: "Due", type: .timestamp), Column(name: "Sum", type: .real),
      Column(name: "Owner", type: .uuid),
      Column(name: "version", sourceName: "Version", type: .text, role: .version),
      Column(name: "deleted", sourceName: "Deleted", type: .boolean, role: .deleted),
    ])

  private func leftOut(_ item: String, row: [RawValue?]?) throws -> String {
    let object = JSONObject(parsing: Array(item.utf8).span) ?? JSONObject()
    let members = LeftOutMembers(
      of: Self.table, style: SDKStyle(), truths: [ExactText(folding: "isComplete")]
    ).members(missingIn: object, row: row)
    return String(decoding: try #require(JSONObject(members)).json, as: UTF8.self)
  }

  private func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }

  @Test func rowTellsZeroFromNull() throws {
    let row: [RawValue?] = [
      text("a"), nil, .integer(0), nil, text("0.0"), nil, text("0001-01-01T00:00:00.000Z"),
      .real(0), text("00000000-0000-0000-0000-000000000000"), text("V"), .integer(0),
    ]
    #expect(
      try leftOut(#"{"id":"a","version":"V"}"#, row: row)
        == #"{"title":null,"isComplete":false,"priority":null,"price":0,"urlText":null,"#
        + #""due":"0001-01-01T00:00:00.000Z","sum":0,"#
        + #""owner":"00000000-0000-0000-0000-000000000000"}"#)
  }

  @Test func typesTellWhereTheRowIsGone() throws {
    #expect(
      try leftOut(#"{"id":"a","TITLE":"t","due":null}"#, row: nil)
        == #"{"isComplete":false,"priority":0,"price":null,"urlText":null,"sum":0,"owner":null}"#)
  }

  /// The table of several devices may have two columns for one member, which makes one member.
  @Test func columnsOfOneMemberMakeOne() {
    let table = Table(
      name: "Todos",
      columns: [
        Column(name: "Id", type: .text, role: .id), Column(name: "flag", type: .integer),
        Column(name: "photo", type: .text),
        Column(name: "photo_2", sourceName: "Photo", type: .binary),
      ])
    let members = LeftOutMembers(of: table, style: SDKStyle(), truths: [])
      .members(missingIn: JSONObject(), row: nil)
    #expect(members.map(\.key) == ["flag", "photo"])
  }

  /// The item counts, which the service would have got.
  @Test func rowWithOtherValuesDoesNotMatter() throws {
    let row: [RawValue?] = [
      text("a"), text("t"), .integer(1), .integer(5), text("1.5"), text("u"), nil, .real(2), nil,
      nil, nil,
    ]
    #expect(
      try leftOut(#"{"id":"a","due":"x","owner":"y"}"#, row: row)
        == #"{"title":null,"isComplete":false,"priority":0,"price":null,"urlText":null,"sum":0}"#)
  }

  @Test func wholeItemLacksNothing() throws {
    let item =
      #"{"title":"t","isComplete":true,"priority":1,"price":1,"urlText":"","due":"d","sum":1,"#
      + #""owner":"o"}"#
    #expect(try leftOut(item, row: nil) == "{}")
  }
}
