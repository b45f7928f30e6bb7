extension ReportJSON {
  /// The JSON text on many lines, indented by two spaces, without a final newline.
  package var prettyText: String { text(isPretty: true) }

  /// The JSON text on one line without spaces, without a final newline.
  package var compactText: String { text(isPretty: false) }

  private func text(isPretty: Bool) -> String {
    var printer = ReportPrinter(isPretty: isPretty)
    printer.print(self)
    return printer.text
  }
}

/// Writes one value; equal values give equal text.
private struct ReportPrinter {
  /// Whether each item stands on its own line.
  let isPretty: Bool
  /// What has been printed so far.
  var text = ""
  private var depth = 0

  /// A printer with nothing printed.
  init(isPretty: Bool) {
    self.isPretty = isPretty
  }

  /// Appends one value.
  mutating func print(_ value: ReportJSON) {
    switch value {
    case .object(let members): print(members: members)
    case .array(let elements): print(elements: elements)
    case .string(let string): print(string: string)
    case .integer(let number): text += String(number)
    case .real(let number): print(number: number)
    case .boolean(let truth): text += truth ? "true" : "false"
    case .null: text += "null"
    case .encoded(let json): text += json
    }
  }

  private mutating func print(members: [ReportJSON.Member]) {
    text += "{"
    depth += 1
    for (index, member) in members.enumerated() {
      startItem(isFirst: index == 0)
      print(string: member.name)
      text += isPretty ? ": " : ":"
      print(member.value)
    }
    end(isEmpty: members.isEmpty, with: "}")
  }

  private mutating func print(elements: [ReportJSON]) {
    text += "["
    depth += 1
    for (index, element) in elements.enumerated() {
      startItem(isFirst: index == 0)
      print(element)
    }
    end(isEmpty: elements.isEmpty, with: "]")
  }

  private mutating func startItem(isFirst: Bool) {
    if !isFirst { text += "," }
    breakLine()
  }

  private mutating func end(isEmpty: Bool, with bracket: String) {
    depth -= 1
    if !isEmpty { breakLine() }
    text += bracket
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }

  private mutating func print(number: Double) {
    if number.isNaN {
      text += "null"
    } else if number.isInfinite {
      text += number < 0 ? "\"-Infinity\"" : "\"Infinity\""
    } else {
      text += number.description
    }
  }

  private mutating func print(string: String) {
    text += "\""
    if string.utf8.allSatisfy(isPlainInJSON) {
      text += string
    } else {
      for scalar in string.unicodeScalars { print(scalar) }
    }
    text += "\""
  }

  /// Beyond what JSON demands, whatever could act on a terminal is escaped: nothing is lost by it.
  private mutating func print(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where isUnsafeOnTerminal(scalar):
      appendJSONEscape(of: scalar, to: &text)
    default: text.unicodeScalars.append(scalar)
    }
  }
}

private func isPlainInJSON(_ byte: UInt8) -> Bool {
  (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

/// Appends a scalar as JSON escapes it.
func appendJSONEscape(of scalar: Unicode.Scalar, to text: inout String) {
  for unit in UTF16.encode(scalar) ?? .init() { text += "\\u" + fourDigits(unit) }
}

private func fourDigits(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}
