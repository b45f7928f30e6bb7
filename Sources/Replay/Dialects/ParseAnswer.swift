import Formats

/// An answer of Parse, by what its status and its code mean together.
struct ParseAnswer {
  enum Meaning {
    case success
    /// There is no such object, or none that the user may see.
    case missing
    /// The server is busy or at fault, and may or may not have done it.
    case busy
    /// The server wants other credentials.
    case forbidden
    /// The class is closed to the user for this.
    case closed
    /// A value that must be unique is taken.
    case duplicate
    /// A request with this id came before.
    case repeated
    case refused
  }

  let status: Int
  let meaning: Meaning
  /// Its body; nil where that is no JSON object.
  let object: JSONObject?
  /// What it says about a refusal, with the code.
  let words: String?
  /// Whether it is a page, which comes from what stands in front of the service.
  let isPage: Bool
  private let isEmpty: Bool

  private static let limits = FormatLimits(maxObjects: 1_000_000, maxBytes: 64 << 20)

  init(_ answer: ReplayAnswer) {
    let body = withoutMark(answer.body)
    status = answer.status
    isEmpty = body.isEmpty
    isPage = Replay.isPage(answer.body)
    // What is no JSON is of no server of Parse.
    if case .object(let shown)? = answeredJSON(answer, limits: Self.limits)?.value {
      object = shown
    } else {
      object = nil
    }
    var code: Int64?
    if case .number(let number)? = object?["code"] { code = number.integer }
    meaning = Self.meaning(status: answer.status, code: code)
    let said = Replay.words(of: answer)
    words = code.map { (said.map { $0 + " " } ?? "") + "(code \($0))" } ?? said
  }

  private static func meaning(status: Int, code: Int64?) -> Meaning {
    switch (status, code) {
    case (200..<300, _): .success
    case (..<200, _), (300..<400, _), (408, _), (425, _), (429, _), (500..., _): .busy
    // The service is out of order or too slow, or asked too often.
    case (_, 1?), (_, 100?), (_, 124?), (_, 140?), (_, 155?): .busy
    // The session or the keys are not valid.
    case (_, 209?): .forbidden
    case (_, 119?): .closed
    case (_, 101?): .missing
    case (_, 137?): .duplicate
    case (_, 159?): .repeated
    case (401, _), (403, _), (407, _): .forbidden
    default: .refused
    }
  }

  /// Whether the answer to a deletion says that it was done.
  var endsObject: Bool { isEmpty || object != nil }

  /// The objects that a question found; nil where the answer shows no list.
  var results: [JSONObject]? {
    guard case .array(let values)? = object?["results"] else { return nil }
    return values.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}

extension JSONObject {
  /// A member that is a text, and not an empty one.
  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name], !text.isEmpty { text } else { nil }
  }
}

extension ServerItem {
  init(parse object: JSONObject) {
    self.object = object
    json = object.json
    let id = object.text("objectId") ?? ""
    self.id = .string(id)
    version = ParseVersion(objectID: id, updatedAt: object.text("updatedAt")).text
    isDeleted = false
    updatedAt = object.text("updatedAt")
  }
}
