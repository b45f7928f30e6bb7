import Bytes
import Testing

/// RFC 3986, 6.2.2 and 6.2.3: what is equivalent has one spelling, and nothing else has it.
struct ServerAddressTests {
  @Test(
    arguments: [
      ("HTTPS://A.Example:443/", "https://a.example"), ("https://a.example:8443", nil),
      ("http://a.example:80/x", "http://a.example/x"), ("https://a.example:80", nil),
      ("http://a.example:443", nil), ("https://a.example:00443/x//", "https://a.example/x"),
      ("https://a.example:08443", "https://a.example:8443"),
      ("https://a.example/%78%2d%7E/%3a%2F%c3%A4", "https://a.example/x-~/%3A%2F%C3%A4"),
      ("https://a.example/%7", nil), ("https://a.example/%zz%", nil), ("https://a.example//x", nil),
      ("https://a.example./x", nil), ("https://a.example/X", nil),
      ("http://[FE80::443]", "http://[fe80::443]"),
      ("http://[::1]:80", "http://[::1]"), ("https://a.example:+443", nil),
      ("https://a.example:", nil),
      ("https://", nil), ("rehome:ABC/%78", nil), ("ftp://A", nil), ("", nil), (":", nil),
    ] as [(String, String?)])
  func equivalentAddressesHaveOneSpelling(text: String, plain: String?) {
    #expect(plainServerAddress(text) == plain ?? text)
    #expect(plainServerAddress(plainServerAddress(text)) == plain ?? text)
  }
}
