/// What the machine is told.
package enum ReplayEvent: Sendable, Equatable {
  case start
  /// A whole answer to a step's request came.
  case answer(step: Int, ReplayAnswer)
  /// A step's request has no answer.
  case failure(step: Int, TransportFailure)
  /// Time has passed.
  case tick
  /// The caller wants to end: nothing new leaves, and answers still under way are settled.
  case stop(String)
}

/// An answer as far as it matters.
package struct ReplayAnswer: Sendable, Equatable {
  var status: Int
  /// The header `ETag` as it came.
  var etag: String?
  /// The header `Retry-After` as it came.
  var retryAfter: String?
  var body: [UInt8] = []
  /// The body as it may be told, where something in it is secret.
  package var toldBody: [UInt8]?

  /// An answer with its status, in which nothing is secret.
  package init(status: Int, etag: String? = nil, retryAfter: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.etag = etag
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// Why there is no answer, with words for a person.
package enum TransportFailure: Sendable, Equatable {
  /// The request surely never reached the server.
  case notSent(String)
  /// Nobody knows whether it did.
  case unknown(String)
  /// The server pointed elsewhere, where nothing was sent; some do not say where.
  case redirected(to: String?, status: Int)

  var words: String {
    switch self {
    case .notSent(let words), .unknown(let words): words
    case .redirected(let location?, _): "the server points to \(location.prefix(300))"
    case .redirected(nil, let status): "the server answers \(status), and does not say where to"
    }
  }
}
