import Formats

/// What a server says about a refusal, short enough for a report; nil when it says nothing.
func words(of answer: ReplayAnswer) -> String? {
  let body = withoutMark(answer.toldBody ?? answer.body)
  guard !body.isEmpty else { return nil }
  let limits = FormatLimits(maxDepth: 16, maxObjects: 10_000, maxBytes: 1 << 16)
  // What is no JSON is shown as it is.
  guard let value = try? JSONValue(parsing: body.span, limits: limits) else {
    return shortened(String(decoding: body.prefix(longestWords + 4), as: UTF8.self))
  }
  return switch value {
  case .null: nil
  case .string(let text): shortened(text)
  case .object(let object): words(of: object) ?? shortened(value.jsonText)
  default: shortened(value.jsonText)
  }
}

/// Whether a body is a page, as no service sends it.
func isPage(_ body: [UInt8]) -> Bool {
  withoutMark(body).first { !isSpace($0) } == UInt8(ascii: "<")
}

private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

private let longestWords = 400

/// The members that services put their words into, the most telling first.
func words(of object: JSONObject) -> String? {
  if case .object(let error)? = object["error"], let words = words(of: error) { return words }
  for key in ["error", "description", "message", "Message", "detail", "title"] {
    guard case .string(let text)? = object[key], !text.isEmpty else { continue }
    let reasons = reasons(in: object).filter { $0 != text }
    return shortened(([text] + reasons).joined(separator: "; "))
  }
  return nil
}

/// What services say beside the headline of a refusal: of each field what is wrong with it, or what went
/// wrong inside.
private func reasons(in object: JSONObject) -> [String] {
  var reasons: [String] = []
  for key in ["errors", "modelState", "ModelState", "exceptionMessage", "ExceptionMessage"] {
    switch object[key] {
    case .string(let text)? where !text.isEmpty: reasons.append(text)
    case .array(let list)?: reasons += texts(in: list)
    case .object(let fields)?:
      for field in fields.members {
        let texts =
          if case .array(let list) = field.value { texts(in: list) } else {
            texts(in: [field.value])
          }
        reasons += texts.map { field.key.isEmpty ? $0 : "\(field.key): \($0)" }
      }
    default: break
    }
  }
  return reasons
}

private func texts(in values: [JSONValue]) -> [String] {
  values.compactMap { value in
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .object(let object): words(of: object)
    default: nil
    }
  }
}

private func shortened(_ text: String) -> String? {
  if text.isEmpty { return nil }
  guard text.utf8.count > longestWords else { return text }
  return String(decoding: text.utf8.prefix(longestWords), as: UTF8.self) + "…"
}
