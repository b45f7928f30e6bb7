package import Bytes

extension FormatError: Trouble {
  package var kind: TroubleKind {
    switch code {
    case .truncated, .invalid, .checksum, .overlap: .damaged
    case .limit: .limit
    case .unsupported, .encrypted: .unsupported
    case .unreadable(let kind): kind
    }
  }

  package var path: String? { nil }

  package var hint: String? { limit?.hint ?? advice }
}
