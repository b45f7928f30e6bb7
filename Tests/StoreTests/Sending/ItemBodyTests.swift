import Records
import Testing

@testable import SyncSDKs

/// Rows are spelled as the SDK of their layout would send them.
struct ItemBodyTests {
  private static let table = Table(
    name: "Todo",
    columns: [
      Column(name: "id", type: .text, role: .id),
      Column(name: "text", sourceName: "Text", type: .text),
      Column(name: "done", type: .boolean), Column(name: "due", type: .timestamp),
      Column(name: "price", type: .real), Column(name: "photo", type: .binary),
      Column(name: "meta", type: .json), Column(name: "sum", type: .decimal),
      Column(name: "list", type: .reference, role: .reference),
      Column(name: "list_entity", type: .text, role: .referenceEntity),
      Column(name: "list_position", type: .integer, role: .position),
      Column(name: "version", type: .text, role: .version),
      Column(name: "updatedAt", type: .timestamp, role: .updatedAt),
      Column(name: "ms_note", type: .text),
    ])

  private static func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }

  private static let row: [RawValue?] = [
    text("a1"), text("a\"b"), .integer(1), text("2016-10-01T09:15:30.100Z"), .real(5),
    .binary([1, 2, 3]), text("{\"k\":[1]}"), text("1.50"), .integer(7), text("List"), .integer(0),
    text("AAE="), text("2016-10-01T09:15:30.100Z"), text("n"),
  ]

  private func body(
    _ layout: String?, _ generation: String?, row: [RawValue?] = Self.row
  ) -> String? {
    let style = SDK.traits(ofLayout: layout, generation: generation).style
    return ItemBody(of: Self.table, style: style).json(row)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func currentIOSStoreSendsTheAppsFields() {
    #expect(
      body("azure-mobile-ios", "2016")
        == #"{"id":"a1","Text":"a\"b","done":true,"due":"2016-10-01T09:15:30.100Z","price":5,"#
        + #""photo":"AQID","meta":{"k":[1]},"sum":1.50,"ms_note":"n"}"#)
  }

  @Test func managedStoreShortensTimesAndMarksReals() {
    #expect(
      body("azure-mobile-dotnet", "b")
        == #"{"id":"a1","Text":"a\"b","done":true,"due":"2016-10-01T09:15:30.1Z","price":5.0,"#
        + #""photo":"AQID","meta":{"k":[1]},"sum":1.50,"ms_note":"n"}"#)
  }

  /// A text that was cut inside of a character makes no text of the object that it is in.
  @Test(arguments: [
    (#"{"k":"\ud83d"}"#, #"{"k":"\uFFFD"}"#), ("{\"k\":", #""{\"k\":""#), ("7", "7"),
  ])
  func jsonGoesAsJSON(stored: String, sent: String) throws {
    let table = Table(name: "T", columns: [Column(name: "meta", type: .json)])
    let json = ItemBody(of: table, style: SDKStyle()).json([Self.text(stored)])
    #expect(json.map { String(decoding: $0, as: UTF8.self) } == #"{"meta":\#(sent)}"#)
  }

  /// An item that was never at the server has no version.
  @Test(arguments: [true, false])
  func datasyncSendsTheVersionThatAnItemHas(hasVersion: Bool) throws {
    var row = Self.row
    if !hasVersion { row[11] = nil }
    let json = try #require(body("datasync-dotnet", nil, row: row))
    #expect(json.contains(#""sum":1.50,"version":"AAE=","ms_note":"n"}"#) == hasVersion, "\(json)")
    #expect(json.contains("version") == hasVersion, "\(json)")
  }

  @Test func previewOfIOSLeavesOutNullsAndReservedNames() {
    var row = Self.row
    row[1] = nil
    row[6] = nil
    #expect(
      body("azure-mobile-ios", "2014", row: row)
        == #"{"id":"a1","done":true,"due":"2016-10-01T09:15:30.100Z","price":5,"photo":"AQID","#
        + #""sum":1.50}"#)
  }

  /// Without a model the name of an attribute has the letter case of its column.
  @Test(arguments: [("2014", false), ("2015", false), ("2016", true)])
  func reservedNameThatIsThatOfAColumnIsLeftOut(_ generation: String, isSent: Bool) {
    let style = SDK.traits(ofLayout: "azure-mobile-ios", generation: generation).style
    let column = Column(name: "MS_NOTE", sourceColumn: "ZMS_NOTE", type: .text)
    #expect(style.sends(column) == isSent)
    // A name that the store spells is the app's.
    #expect(style.sends(Column(name: "MS_NOTE", sourceColumn: "note", type: .text)))
    let others = ["TEXT", "MS"].map { Column(name: $0, sourceColumn: "Z" + $0, type: .text) }
    #expect(others.allSatisfy(style.sends))
  }

  @Test func nullsAreSentElsewhere() {
    var row = [RawValue?](repeating: nil, count: Self.row.count)
    row[0] = Self.text("a1")
    #expect(
      body("azure-mobile-android", "d3", row: row)
        == #"{"id":"a1","Text":null,"done":null,"due":null,"price":null,"photo":null,"#
        + #""meta":null,"sum":null,"ms_note":null}"#)
    row[0] = nil
    #expect(body("azure-mobile-android", "d3", row: row)?.hasPrefix(#"{"Text":null,"#) == true)
  }

  @Test(
    arguments: [
      (
        "2016-10-01T09:15:30.123456789Z", "2016-10-01T09:15:30.123Z",
        "2016-10-01T09:15:30.123456789Z"
      ),
      ("2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30Z"),
      ("2016-10-01T09:15:30.120Z", "2016-10-01T09:15:30.120Z", "2016-10-01T09:15:30.12Z"),
      ("2016-10-01T09:15:30.Z", "2016-10-01T09:15:30.Z", "2016-10-01T09:15:30Z"),
      ("odd", "odd", "odd"),
      ("2016-10-01T09:15:30Z", "2016-10-01T09:15:30Z", "2016-10-01T09:15:30Z"),
      ("at a quarter past 9.ääääZ", "at a quarter past 9.ääääZ", "at a quarter past 9.ääääZ"),
    ])
  func timesHaveTheDigitsOfTheSDK(_ stored: String, _ three: String, _ asNeeded: String) {
    let table = Table(name: "T", columns: [Column(name: "t", type: .timestamp)])
    for (fraction, expected) in [(SDKStyle.Fraction.three, three), (.asNeeded, asNeeded)] {
      let body = ItemBody(of: table, style: SDKStyle(fraction: fraction))
      #expect(body.json([Self.text(stored)]) == Array("{\"t\":\"\(expected)\"}".utf8))
    }
  }

  @Test func textThatIsNotUTF8IsNotSent() {
    var row = Self.row
    row[1] = .text([0xFF])
    #expect(body("azure-mobile-ios", "2016", row: row) == nil)
  }

  /// Bodies of many rows follow each other in one place.
  @Test func rowThatIsNotSentLeavesNothingBehind() {
    let columns = ["id", "text"].map { Column(name: $0, type: .text) }
    var batch = RecordBatch(columnCount: 2)
    for bytes in [[0x61], [0xFF]] as [[UInt8]] { batch.appendText(bytes.span) }
    batch.endRow(key: 1)
    let body = ItemBody(of: Table(name: "T", columns: columns), style: SDKStyle())
    var json = Array("[".utf8)
    #expect(!body.append(row: 0, of: batch, to: &json))
    #expect(json == Array("[".utf8))
  }
}
