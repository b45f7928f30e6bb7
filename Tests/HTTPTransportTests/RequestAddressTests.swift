import Testing

@testable import HTTPTransport
@testable import Replay

/// What of a request is written into its address, and what may not be written at all.
struct RequestAddressTests {
  private func request(_ path: String) -> ReplayRequest {
    ReplayRequest(step: 0, purpose: .apply, method: "GET", path: path)
  }

  @Test func queryIsEncoded() throws {
    var request = request("tables/Todo/1")
    request.query = [.init("$filter", "a+b c&d=é"), .init("x~y", "-._*,")]
    let base = try BaseURL(parsing: "https://a.example/v2")
    #expect(
      request.address(below: base)
        == "https://a.example/v2/tables/Todo/1?$filter=a%2Bb%20c%26d%3D%C3%A9&x~y=-._*,")
    request.path = "/whole/path"
    request.query = []
    #expect(request.address(below: base) == "https://a.example/v2/whole/path")
  }

  @Test(arguments: [
    "Host", "content-length", "Transfer-Encoding", "connection", "Expect", "TE", "upgrade", "a b",
    "", "a:b",
  ]) func headerOfTheConnectionIsNotOurs(name: String) {
    var request = request("a")
    request.headers = [.init(name, "x")]
    #expect(request.objection != nil)
  }

  @Test(arguments: ["a\nb", "a\rb", "a\0b", "a\u{7F}"]) func valueStaysInItsLine(value: String) {
    var request = request("a")
    request.headers = [.init("If-Match", value)]
    #expect(request.objection != nil)
  }

  @Test(arguments: ["a?b", "a#b", "a b", "ä"]) func pathIsEncodedAlready(path: String) {
    #expect(request(path).objection != nil)
  }

  @Test func ordinaryRequestIsWritten() {
    var request = request("tables/Todo/a%20b")
    request.headers = [.init("If-Match", "\"AAAA=\"\t"), .init("X-ZUMO-AUTH", "é")]
    #expect(request.objection == nil)
  }

  @Test func settingsStayInTheirBounds() throws {
    let base = try BaseURL(parsing: "https://a.example")
    let small = TransportSettings(base: base, connections: 0, timeoutMilliseconds: 0)
    #expect(small.connections == 1 && small.timeoutMilliseconds == 1)
    let large = TransportSettings(base: base, connections: 1000, timeoutMilliseconds: .max)
    #expect(large.connections == 256 && large.timeoutMilliseconds == 86_400_000)
  }
}
