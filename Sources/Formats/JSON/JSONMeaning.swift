package import Bytes

/// Whether a value is one that services leave out.
package func isNothing(_ value: JSONValue) -> Bool {
  switch value {
  case .null, .boolean(false): true
  case .number(let number): number.real == 0
  case .string(let text): text.isEmpty
  default: false
  }
}

/// What a value says where it stands for a truth value, as a number may; nil for all others.
package func truth(_ value: JSONValue) -> Bool? {
  switch value {
  case .boolean(let isTrue): isTrue
  case .number(let number): number.real != 0
  default: nil
  }
}

/// Whether an item of a service may lack what is such a value: one that shows some leaves out none
/// but null.
package func mayOmitNothings(_ item: JSONObject) -> Bool {
  !item.members.contains { isNothing($0.value) }
}

/// Whether a text is what types of .NET begin with: no text, the first of all dates, no time of day
/// or the UUID of zeros.
package func isEmptyText(_ text: String) -> Bool {
  let bytes = text.utf8
  if bytes.isEmpty { return true }
  if text.hasPrefix("0001-01-01") {
    return bytes.dropFirst(10).allSatisfy("T Z0:.+-".utf8.contains)
  }
  return bytes.count >= 8 && bytes.allSatisfy("0:.-".utf8.contains)
    && bytes.contains(where: ":-".utf8.contains)
}

/// How deep values are compared by meaning; below, they must be spelled the same.
private let deepest = 64

/// Whether an object has members with values that mean the same; one that is null may be lacking.
package func areCarried(
  _ members: [JSONObject.Member], by object: JSONObject, omittingNothings: Bool = false,
  exactly: Bool = false, depth: Int = 0
) -> Bool {
  var folded: [ExactText: JSONValue] = [:]
  for member in object.members { folded[ExactText(folding: member.key)] = member.value }
  return members.allSatisfy { member in
    guard let other = object[member.key] ?? folded[ExactText(folding: member.key)] else {
      return omittingNothings ? isNothing(member.value) : member.value == .null
    }
    return means(member.value, other, exactly: exactly, depth: depth)
  }
}

/// Whether two values mean the same, however numbers, truth, moments and UUIDs are spelled.
///
/// Where it is to be exact, no digit of a number may be lost.
package func means(
  _ left: JSONValue, _ right: JSONValue, exactly: Bool = false, depth: Int = 0
) -> Bool {
  switch (left, right) {
  case (.number(let left), .number(let right)):
    exactly ? left.isKept(as: right) : left.means(right)
  case (.string(let left), .string(let right)): meansText(left, right)
  case (.boolean(let truth), .number(let number)), (.number(let number), .boolean(let truth)):
    number.real == (truth ? 1 : 0)
  case (.array(let left), .array(let right)) where depth < deepest:
    left.count == right.count
      && zip(left, right).allSatisfy { means($0, $1, exactly: exactly, depth: depth + 1) }
  case (.object(let left), .object(let right)) where depth < deepest:
    areCarried(left.members, by: right, exactly: exactly, depth: depth + 1)
      // Inside a value nothing is the server's own, so nothing may be added either.
      && hasNoMore(right, than: left)
  default: left == right
  }
}

/// Whether an object has no members, but for those that are null, that another one lacks.
private func hasNoMore(_ object: JSONObject, than other: JSONObject) -> Bool {
  let counts = [object, other].map { $0.members.count { $0.value != .null } }
  guard counts[0] <= counts[1] else { return false }
  let folded = Set(other.members.map { ExactText(folding: $0.key) })
  return object.members.allSatisfy {
    $0.value == .null || folded.contains(ExactText(folding: $0.key))
  }
}

/// Whether two texts are the same, or spell the same moment or the same UUID.
private func meansText(_ left: String, _ right: String) -> Bool {
  if hasSameBytes(left, right) { return true }
  if let left = moment(left), let right = moment(right) {
    return isSameMillisecond(left, right)
  }
  return isUUID(left.utf8Span.span) && isUUID(right.utf8Span.span)
    && left.lowercased() == right.lowercased()
}

/// The moment that a text spells in any way of ISO 8601.
package func moment(_ text: String) -> Timestamp? {
  guard text.utf8.count <= 64 else { return nil }
  let bytes = Array(text.utf8)
  return Timestamp(parsingLeniently: bytes.span)
}

/// Whether two moments are less than a millisecond apart, since some servers round and some cut.
private func isSameMillisecond(_ left: Timestamp, _ right: Timestamp) -> Bool {
  let (first, second) = left < right ? (left, right) : (right, left)
  let seconds = second.secondsSince1970 - first.secondsSince1970
  guard seconds <= 1 else { return false }
  let nanoseconds = Int64(second.nanoseconds) - Int64(first.nanoseconds)
  return seconds * 1_000_000_000 + nanoseconds < 1_000_000
}
