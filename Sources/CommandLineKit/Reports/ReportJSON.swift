import Bytes

/// A small JSON value whose members keep their order, for run reports.
package indirect enum ReportJSON: Sendable, Equatable {
  /// Members in the order in which they are printed.
  case object([Member])
  /// Elements in order.
  case array([ReportJSON])
  /// Elements that are made one after the other as they are printed; there may be very many.
  case list(ReportList)
  /// Text of any kind.
  case string(String)
  case integer(Int64)
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
  fileprivate struct Printer<Failure: Error> {
    /// Whether each item stands on its own line.
    let isPretty: Bool
    private var text = ""
    private var depth: Int
    private let write: (String) throws(Failure) -> Void

    init(
      isPretty: Bool, depth: Int, _ write: @escaping (String) throws(Failure) -> Void
    ) {
      self.isPretty = isPretty
      self.depth = depth
      self.write = write
    }

    /// Writes what is not written yet.
    mutating func flush() throws(Failure) {
      try write(text)
      text.removeAll(keepingCapacity: true)
    }

    mutating func print(_ value: ReportJSON) throws(Failure) {
      switch value {
      case .object(let members): try print(members: members)
      case .array(let elements): try print(elements: elements)
      case .list(let elements): try print(elements: elements)
      case .string(let string): print(string: string)
      case .integer(let number): text += String(number)
      case .boolean(let truth): text += truth ? "true" : "false"
      case .null: text += "null"
      case .encoded(let json): text += json
      }
    }

    private mutating func print(members: [ReportJSON.Member]) throws(Failure) {
      text += "{"
      depth += 1
      for (index, member) in members.enumerated() {
        startItem(isFirst: index == 0)
        print(string: member.name)
        text += isPretty ? ": " : ":"
        try print(member.value)
      }
      end(isEmpty: members.isEmpty, with: "}")
    }

    private mutating func print(elements: some Sequence<ReportJSON>) throws(Failure) {
      text += "["
      depth += 1
      var isEmpty = true
      for element in elements {
        startItem(isFirst: isEmpty)
        isEmpty = false
        try print(element)
        if text.utf8.count >= 1 << 16 { try flush() }
      }
      end(isEmpty: isEmpty, with: "]")
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
      case _ where !showsItself(scalar):
        appendJSONEscape(of: scalar, to: &text)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension ReportJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
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

  /// True or false.
  package init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }

  /// Null.
  package init(nilLiteral: ()) {
    self = .null
  }
}

/// Elements of a list that are made anew for whoever goes through them.
package struct ReportList: Sequence, Sendable, Equatable {
  private let elements: @Sendable () -> any Sequence<ReportJSON>

  /// The elements of what `elements` returns, which should make them as it goes.
  package init(_ elements: @escaping @Sendable () -> any Sequence<ReportJSON>) {
    self.elements = elements
  }

  /// One element after the other.
  package func makeIterator() -> AnyIterator<ReportJSON> { iterator(of: elements()) }

  private func iterator(of elements: some Sequence<ReportJSON>) -> AnyIterator<ReportJSON> {
    AnyIterator(elements.makeIterator())
  }

  /// Whether the elements are the same.
  package static func == (left: ReportList, right: ReportList) -> Bool {
    left.elementsEqual(right)
  }
}

extension ReportJSON {
  /// The JSON text on many lines, indented by two spaces, without a final newline.
  package var prettyText: String {
    var text = ""
    writePretty { text += $0 }
    return text
  }

  /// The JSON text on one line without spaces, without a final newline.
  package var compactText: String {
    var text = ""
    write(isPretty: false, depth: 0) { text += $0 }
    return text
  }

  /// Writes the JSON text on many lines, part by part, without a final newline; `depth` is how deep
  /// in another value it stands.
  package func writePretty<Failure>(
    depth: Int = 0, _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try self.write(isPretty: true, depth: depth, write)
  }

  private func write<Failure>(
    isPretty: Bool, depth: Int, _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try withoutActuallyEscaping(write) { (write) throws(Failure) in
      var printer = ReportJSON.Printer(isPretty: isPretty, depth: depth, write)
      try printer.print(self)
      try printer.flush()
    }
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
