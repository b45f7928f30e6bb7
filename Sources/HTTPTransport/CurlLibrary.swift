import CCurl

/// The library that speaks HTTP and TLS, loaded when a transport is made.
///
/// It is the library that `URLSession` rests on here. The session itself ends the process where
/// an answer breaks off inside its head or has a trailer, so it is not in between.
struct CurlLibrary {
  /// The library's functions, which may be called from any thread.
  private(set) var functions: rehome_curl

  /// The library, if the machine has one that gets ready for use.
  init?() {
    functions = rehome_curl()
    // The call fills the table or says that it could not; 3 asks for everything the library has.
    guard unsafe rehome_curl_load(&functions) == 1, functions.global_init(3) == 0 else {
      return nil
    }
  }
}

/// The library's numbers, spelled as its documentation spells them.
enum CurlOption {
  static let connectionsKept: Int32 = 6
  static let connectionsInAll: Int32 = 13
  static let post: Int32 = 47
  static let followLocation: Int32 = 52
  static let sslVerifyPeer: Int32 = 64
  static let freshConnection: Int32 = 74
  static let httpGet: Int32 = 80
  static let sslVerifyHost: Int32 = 81
  static let httpVersion: Int32 = 84
  static let sslVersion: Int32 = 32
  static let noSignal: Int32 = 99
  static let timeoutMilliseconds: Int32 = 155
  static let connectTimeoutMilliseconds: Int32 = 156
  static let protocols: Int32 = 181
  static let tcpKeepAlive: Int32 = 213
  static let pathAsIs: Int32 = 234
  static let suppressConnectHeaders: Int32 = 265
  static let writeData: Int32 = 10_001
  static let url: Int32 = 10_002
  static let proxy: Int32 = 10_004
  static let errorBuffer: Int32 = 10_010
  static let acceptEncoding: Int32 = 10_102
  static let copiedPostFields: Int32 = 10_165
  static let httpHeader: Int32 = 10_023
  static let headerData: Int32 = 10_029
  static let customRequest: Int32 = 10_036
  static let caInfo: Int32 = 10_065
  static let prerequestData: Int32 = 10_313
  static let writeFunction: Int32 = 20_011
  static let headerFunction: Int32 = 20_079
  static let prerequestFunction: Int32 = 20_312
  static let postFieldSize: Int32 = 30_120
}

/// How the library ends a transfer, in words for a person.
struct CurlResult: RawRepresentable, Equatable {
  let rawValue: Int32

  static let fine = CurlResult(rawValue: 0)

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
    case 61: "the answer is packed in a way that is not known here"
    default: "the request failed (libcurl \(rawValue))"
    }
  }
}
