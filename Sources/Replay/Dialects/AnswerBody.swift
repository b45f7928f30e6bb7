import Formats

/// The JSON of an answer, and its bytes; nil where it has none.
///
/// One text that a service has cut inside of a character must not hide the item that it shows, or a
/// whole table.
func answeredJSON(
  _ answer: ReplayAnswer, limits: FormatLimits
) -> (value: JSONValue, bytes: [UInt8])? {
  let body = withoutMark(answer.body)
  if let value = try? JSONValue(parsing: body.span, limits: limits) { return (value, body) }
  guard let repaired = replacingHalfCharacters(in: body.span),
    let value = try? JSONValue(parsing: repaired.span, limits: limits)
  else { return nil }
  return (value, repaired)
}

/// A body without the byte order mark that some servers put in front.
func withoutMark(_ body: [UInt8]) -> [UInt8] {
  body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body[3...]) : body
}
