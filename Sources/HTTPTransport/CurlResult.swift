/// How the library ends a transfer, in words for a person.
struct CurlResult: RawRepresentable, Equatable {
  let rawValue: Int32

  static let fine = CurlResult(rawValue: 0)
  static let timedOut = CurlResult(rawValue: 28)

  /// What happened, before what the library says about it.
  var words: String {
    switch rawValue {
    case 3: "the address cannot be used"
    case 5: "the proxy's name is not known"
    case 6: "the server's name is not known"
    case 7: "the server takes no connection"
    case 8: "what answered is no HTTP server"
    case 18: "the answer was cut off"
    case 28: "no whole answer came in time"
    case 35: "no encrypted connection was agreed on"
    case 51, 60, 83, 90, 91: "the server's certificate is not to be trusted"
    case 52: "the connection was closed without an answer"
    case 55: "the connection ended while the request was sent"
    case 56: "the connection ended while the answer was read"
    case 58, 59, 66, 77, 82: "the certificates of the trusted authorities cannot be used"
    default: "the request failed (libcurl \(rawValue))"
    }
  }
}
