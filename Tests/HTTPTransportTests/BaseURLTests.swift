import Testing

@testable import HTTPTransport

struct BaseURLTests {
  @Test(
    arguments: [
      ("https://a.example", "https://a.example", "a.example"),
      ("https://a.example/", "https://a.example", "a.example"),
      ("HTTPS://A.Example:8443/Api/v2//", "https://a.example:8443/Api/v2", "a.example"),
      ("http://localhost:80", "http://localhost", "localhost"),
      ("https://a.example:443/", "https://a.example", "a.example"),
      ("https://a.example:00443/x", "https://a.example/x", "a.example"),
      ("https://a.example:08443", "https://a.example:8443", "a.example"),
      ("https://a.example:80", "https://a.example:80", "a.example"),
      ("http://[::1]:0080/", "http://[::1]", "::1"),
      ("https://[FE80::1]:443", "https://[fe80::1]", "fe80::1"),
      ("http://127.9.0.1/x", "http://127.9.0.1/x", "127.9.0.1"),
      ("http://[::1]:5000", "http://[::1]:5000", "::1"),
      ("https://a.example/%78/%3a", "https://a.example/x/%3A", "a.example"),
      ("https://a.example.//x", "https://a.example.//x", "a.example."),
    ])
  func addressesAreRead(text: String, spelled: String, host: String) throws {
    let base = try BaseURL(parsing: text)
    #expect(base.text == spelled)
    #expect(base.host == host)
  }

  @Test(
    arguments: [
      "", "a.example", "https:", "https://", "https:///x", "ftp://a", "file:///etc/passwd",
      "https://user@a.example", "https://user:secret@a.example", "https://a.example?x=y",
      "https://a.example/#f", "https://a.example:", "https://a.example:0",
      "https://a.example:65536",
      "https://a.example:8x", "https://a b", "https://a\n.example", "https://a\\b", "https://[::1",
      "https://[::1]x", "https://ä.example", "https://a.example:+80", " https://a.example",
      "https//a.example", "https:/a.example", "https://a.example/.", "https://a.example/api/../v2",
      "https://a.example/%2E/",
    ])
  func otherTextIsRefused(text: String) {
    #expect(throws: HTTPError.self) { _ = try BaseURL(parsing: text) }
  }

  @Test(arguments: ["http://a.example", "http://127.0.0.1.example", "http://128.0.0.1"])
  func plainAddressesNeedPermission(text: String) throws {
    let error = #expect(throws: HTTPError.self) { _ = try BaseURL(parsing: text) }
    #expect(error?.hint?.contains("--allow-http") == true)
    #expect(try BaseURL(parsing: text, allowsPlain: true).text == text)
  }
}
