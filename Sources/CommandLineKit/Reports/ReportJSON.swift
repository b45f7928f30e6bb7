/// A small JSON value whose members keep their order, for run reports.
package indirect enum ReportJSON: Sendable, Equatable {
  /// Members in the order in which they are printed.
  case object([Member])
  /// Elements in order.
  case array([ReportJSON])
  /// Text of any kind.
  case string(String)
  case integer(Int64)
  /// A number; infinities print as strings and not-a-number as null, which JSON cannot carry.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  case null
  /// JSON text that was checked and written elsewhere; it is copied as it is.
  case encoded(String)

  /// A name and its value.
  package struct Member: Sendable, Equatable {
    /// The name, which the caller keeps unique within its object.
    package var name: String
    /// The value.
    package var value: ReportJSON

    /// Pairs a name with a value.
    package init(_ name: String, _ value: ReportJSON) {
      self.name = name
      self.value = value
    }
  }

  /// A string, or null.
  package init(_ text: String?) {
    self = text.map(ReportJSON.string) ?? .null
  }

  /// A whole number, or null.
  package init(_ number: Int?) {
    self = number.map { .integer(Int64($0)) } ?? .null
  }

  /// An array of strings.
  package init(_ texts: [String]) {
    self = .array(texts.map(ReportJSON.string))
  }

  /// The object with one more member, where there is a value for it and it is wanted.
  package func adding(
    _ name: String, _ value: ReportJSON?, if isWanted: Bool = true
  ) -> ReportJSON {
    guard isWanted, let value, case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }

  /// Writes one value; equal values give equal text.
  fileprivate struct Printer {
    /// Whether each item stands on its own line.
    let isPretty: Bool
    var text = ""
    private var depth = 0

    init(isPretty: Bool) {
      self.isPretty = isPretty
    }

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
}

extension ReportJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object whose members keep the order of the literal.
  package init(dictionaryLiteral elements: (String, ReportJSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// An array.
  package init(arrayLiteral elements: ReportJSON...) {
    self = .array(elements)
  }

  /// A string.
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A whole number.
  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// A number.
  package init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// True or false.
  package init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }

  /// Null.
  package init(nilLiteral: ()) {
    self = .null
  }
}

extension ReportJSON {
  /// The JSON text on many lines, indented by two spaces, without a final newline.
  package var prettyText: String { text(isPretty: true) }

  /// The JSON text on one line without spaces, without a final newline.
  package var compactText: String { text(isPretty: false) }

  private func text(isPretty: Bool) -> String {
    var printer = ReportJSON.Printer(isPretty: isPretty)
    printer.print(self)
    return printer.text
  }
}

private func isPlainInJSON(_ byte: UInt8) -> Bool {
  (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

func appendJSONEscape(of scalar: Unicode.Scalar, to text: inout String) {
  for unit in UTF16.encode(scalar) ?? .init() { text += "\\u" + fourDigits(unit) }
}

private func fourDigits(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}
