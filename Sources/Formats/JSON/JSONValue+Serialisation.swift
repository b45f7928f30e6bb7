import Bytes

extension JSONValue {
  /// Appends the value as compact JSON; equal values give equal bytes.
  package func append(to output: inout [UInt8]) {
    var open: [OpenContainer] = []
    var current: JSONValue? = self
    while true {
      if let container = current?.appendStart(to: &output) { open.append(container) }
      guard !open.isEmpty else { return }
      current = open[open.count - 1].appendSeparator(to: &output)
      if current == nil { open.removeLast() }
    }
  }

  /// Appends a scalar, or the opening bracket of a container, which is returned.
  private func appendStart(to output: inout [UInt8]) -> OpenContainer? {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): output.appendJSONString(text.utf8Span.span)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      return OpenContainer(elements: elements)
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      return OpenContainer(members: object.members)
    }
    return nil
  }
}

/// A container whose opening bracket is written.
private struct OpenContainer {
  private let elements: [JSONValue]
  private let members: [JSONObject.Member]?
  private var position = 0

  init(elements: [JSONValue]) {
    self.elements = elements
    members = nil
  }

  init(members: [JSONObject.Member]) {
    elements = []
    self.members = members
  }

  /// Appends what stands before the next value and returns that; after the last, the bracket.
  mutating func appendSeparator(to output: inout [UInt8]) -> JSONValue? {
    guard position < (members?.count ?? elements.count) else {
      output.append(members == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
      return nil
    }
    if position > 0 { output.append(UInt8(ascii: ",")) }
    defer { position += 1 }
    guard let member = members?[position] else { return elements[position] }
    output.appendJSONString(member.key.utf8Span.span)
    output.append(UInt8(ascii: ":"))
    return member.value
  }
}
