import Bytes

/// Why what the operations on an item come to can never be sent as it is.
package enum SendObstacle: Sendable {
  /// Another operation on the item cannot be decoded, so that the item's state is not known.
  case besideUnreadable
  case withoutTable
  case withoutItem
  /// The row that it would send is gone.
  case withoutRow
  /// Its table, id or version has characters that no address or header can carry safely.
  case notSendable
}

/// What can stand in the requests for an effect.
package struct RequestRules: Sendable {
  /// Whether no server reads the ids, so that any may be sent.
  private let takesAnyID: Bool
  /// Whether versions go into headers.
  private let hasConditions: Bool

  /// The rules of requests to a service, or of those to a store.
  package init(takesAnyID: Bool, hasConditions: Bool) {
    self.takesAnyID = takesAnyID
    self.hasConditions = hasConditions
  }

  fileprivate func allow(_ id: Span<UInt8>) -> Bool { takesAnyID || isPathSegment(id) }

  fileprivate func allow(version: Span<UInt8>) -> Bool { !hasConditions || isHeaderText(version) }
}

extension Effect {
  /// Why it can never be sent as it is; nil when it can.
  ///
  /// The name of a table does not matter where the server has another one for it.
  package func obstacle(_ rules: RequestRules, isRenamed: Bool = false) -> SendObstacle? {
    guard !isBesideUndecoded else { return .besideUnreadable }
    guard let table, !table.isEmpty else { return .withoutTable }
    guard let itemID, !itemID.isEmpty else { return .withoutItem }
    guard kind == .delete || item != nil || rowKey != nil else { return .withoutRow }
    guard rules.allow(itemID.utf8Span.span), isRenamed || isPathSegment(table),
      baseVersion.map({ rules.allow(version: $0.utf8Span.span) }) ?? true
    else { return .notSendable }
    return nil
  }
}

extension Fold.Effects {
  /// Whether table, id and version of an effect can be sent, without putting it together.
  package func areSendable(_ places: EffectPlaces, _ rules: RequestRules) -> Bool {
    let isNamed = with(places.first) { operation in
      operation.withTexts { texts, packed in
        (texts.itemID.map { rules.allow(packed.extracting($0)) } ?? true)
          && (texts.table.map { isPathSegment(packed.extracting($0)) } ?? true)
      }
    }
    guard isNamed, let place = places.version else { return isNamed }
    return with(place) { operation in
      operation.withTexts { texts, packed in
        texts.baseVersion.map { rules.allow(version: packed.extracting($0)) } ?? true
      }
    }
  }
}

/// Whether a text can be one segment of a path without being taken for something else.
///
/// No service allows such ids, and some decode a path before they take it apart: `..` and slashes
/// would then reach another item, or the table itself.
package func isPathSegment(_ text: String) -> Bool { isPathSegment(text.utf8Span.span) }

private func isPathSegment(_ text: Span<UInt8>) -> Bool {
  var dots = 0
  for place in text.indices {
    switch text[place] {
    case ..<0x20, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "\\"): return false
    case UInt8(ascii: "."): dots += 1
    default: break
    }
  }
  // Neither nothing, nor this folder, nor the one above.
  return text.count > 2 || dots < text.count
}

/// Whether a version can stand in a header.
package func isHeaderText(_ text: String) -> Bool { isHeaderText(text.utf8Span.span) }

private func isHeaderText(_ text: Span<UInt8>) -> Bool {
  text.indices.allSatisfy { 0x20..<0x7F ~= text[$0] }
}
