import Formats
import Testing

/// Members of several objects, and values in memory and in streams, follow one grammar.
struct JoinedObjectsTests {
  @Test func laterMembersTakeThePlaceOfEarlierOnes() {
    let parts = [#"{"a":1,"b":[2]}"#, #"{"b":null}"#, #"{"c":"x"}"#].map { Array($0.utf8) }
    let joined = joinedObjects(parts).map { String(decoding: $0, as: UTF8.self) }
    #expect(joined == #"{"a":1,"b":null,"c":"x"}"#)
    #expect(joinedObjects([Array("[1]".utf8)]) == nil)
  }

  @Test(arguments: [
    #""\ud83d\ude00\udbff\udfff""#, #""\u00e9\/\b\f\n\r\t""#, "-0", "1.5e+30", "[]", "{}",
    #"{"a":[{"b":[1,2,{"c":"\u0000"}]}],"d":false}"#, "123456789012345678901234567890.5",
  ]) func valueOfAStreamIsTheValueInMemory(text: String) throws {
    let bytes = Array(text.utf8)
    var reader = JSONReader(ByteStream(bytes))
    let token = try #require(try reader.next())
    #expect(try reader.readValue(from: token) == JSONValue(parsing: bytes.span))
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [#"{"a":1,"a":2}"#, #"[{"k":{"x":1,"x":1}}]"#])
  func streamRefusesARepeatedKeyInAValue(text: String) throws {
    var reader = JSONReader(ByteStream(Array(text.utf8)))
    let token = try #require(try reader.next())
    let error = #expect(throws: FormatError.self) { try reader.readValue(from: token) }
    #expect(error?.code == .invalid)
  }

  @Test func longNumberIsReadWhereTheDocumentIsWhole() throws {
    let digits = Array(String(repeating: "7", count: 70_000).utf8)
    guard case .number(let number) = try JSONValue(parsing: digits.span) else { throw WrongKind() }
    #expect(number.text.utf8.count == 70_000)
  }
}
