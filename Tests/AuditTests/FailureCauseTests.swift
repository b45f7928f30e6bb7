import Records
import Testing

@testable import Audit

struct FailureCauseTests {
  static let cases: [(Int64?, String?, String?, FailureCause)] = [
    (409, nil, nil, .conflict), (412, nil, nil, .conflict), (nil, #"{"id":"a"}"#, nil, .conflict),
    (nil, #"{"id":"a"}"#, "-1", .conflict), (nil, nil, nil, .unknown), (503, nil, nil, .transient),
    (400, nil, nil, .rejected), (408, nil, nil, .transient), (425, nil, nil, .transient),
    (429, nil, nil, .transient), (200, nil, nil, .answered), (700, nil, nil, .unknown),
    (nil, nil, "-1103", .rejected), (nil, nil, "-1303", .conflict), (nil, nil, "-1201", .answered),
    (nil, nil, "3840", .answered),
  ]

  @Test(arguments: cases)
  func causeFollowsFromStatusAndCopy(
    _ status: Int64?, _ serverItem: String?, _ code: String?, _ cause: FailureCause
  ) {
    var error = OperationError()
    error.status = status
    error.serverItem = serverItem.map { Array($0.utf8) }
    error.code = code
    #expect(FailureCause(error) == cause)
  }

  /// The SDK for Android notes only words, also of what the server refused.
  @Test(arguments: [nil, "{'code': 400, 'message': 'not allowed'}", "timeout"])
  func wordsAloneTellNoCause(_ message: String?) {
    var error = OperationError()
    error.message = message
    #expect(FailureCause(error) == .unknown)
    error.code = "-1200"
    #expect(FailureCause(error) == .transient)
  }

  /// Codes mean what the SDK says only where they are the SDK's.
  @Test(arguments: [
    ("com.Microsoft.MicrosoftAzureMobile.ErrorDomain", ["-1101", "-1303", "-1201", "3840"]),
    ("com.Microsoft.WindowsAzureMobileServices.ErrorDomain", ["-1101", "-1303", "-1201", "3840"]),
    ("NSCocoaErrorDomain", ["3840"]), ("NSURLErrorDomain", ["-1009", "-1101"]),
    ("NSPOSIXErrorDomain", ["7"]),
    ("com.example.app", []),
  ])
  func codesOfOtherDomainsTellNoCause(_ domain: String, _ known: [String]) {
    let isOfNetwork = ["NSURLErrorDomain", "NSPOSIXErrorDomain"].contains(domain)
    var error = OperationError()
    error.raw = .text(Array(#"{"code":0,"domain":"\#(domain)","statusCode":0}"#.utf8))
    for code in ["-1101", "-1303", "-1201", "3840", "-1009", "7"] {
      error.code = code
      guard known.contains(code) else {
        let isPassing = domain.hasPrefix("com.Microsoft") || isOfNetwork
        #expect(FailureCause(error) == (isPassing ? .transient : .unknown), "\(code)")
        continue
      }
      var plain = error
      plain.raw = nil
      let expected = isOfNetwork ? .transient : FailureCause(plain)
      #expect(FailureCause(error) == expected && expected != .unknown, "\(code)")
    }
    // What the server has answered tells the cause whoever has asked.
    error.status = 400
    #expect(FailureCause(error) == .rejected)
  }

  @Test(arguments: [404, 410] as [Int64])
  func deleteOfWhatIsGoneIsDone(_ status: Int64) {
    var error = OperationError()
    error.status = status
    error.kind = .delete
    #expect(FailureCause(error) == .answered)
    for kind in [OperationKind.insert, .update, nil] {
      error.kind = kind
      #expect(FailureCause(error) == .rejected)
    }
  }
}
