import Formats

/// Whether an answer of 404 or 410 says in a service's own form that an item is missing.
///
/// Web servers, gateways and the services themselves answer 404 for wrong addresses, too. The
/// services for Node and the first ones name the item; the others say nothing, or merely that
/// something was not found, which counts where the table is known to be there.
func saysItemIsMissing(_ answer: ReplayAnswer, isTableKnown: Bool) -> Bool {
  let body = withoutMark(answer.body)
  if body.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x0A }) { return isTableKnown }
  let limits = FormatLimits(maxDepth: 16, maxObjects: 10_000, maxBytes: 1 << 16)
  // Pages and plain text are of no service.
  guard let object = JSONObject(parsing: body.span, limits: limits) else {
    return false
  }
  guard let words = words(of: object)?.lowercased() else { return isTableKnown }
  let plain = unquotedPart(of: words)
  if wordsOfAddresses.contains(where: { plain.contains($0) }) { return false }
  return isTableKnown || wordsOfItems.contains { plain.contains($0) }
}

/// What is named where an address is wrong, as in `No HTTP resource was found`.
private let wordsOfAddresses = [
  "resource", "route", "table", "url", "uri", "endpoint", "page", "path", "method", "controller",
]

/// What is named where an item is missing, as in `The item does not exist`.
private let wordsOfItems = ["item", "entity", "record"]

/// A text without what stands between quotes, such as ids, names and addresses.
private func unquotedPart(of text: String) -> String {
  var parts: [Substring] = []
  for (place, part) in text.split(omittingEmptySubsequences: false, whereSeparator: isQuote)
    .enumerated() where place.isMultiple(of: 2)
  {
    parts.append(part)
  }
  return parts.joined(separator: " ")
}

private func isQuote(_ character: Character) -> Bool { "'\"`".contains(character) }
