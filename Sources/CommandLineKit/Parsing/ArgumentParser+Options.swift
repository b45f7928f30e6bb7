extension ArgumentParser {
  /// Reads `--name`, `--name=value` or `--name value`.
  mutating func readLongOption(_ argument: String, at index: Int) {
    let body = argument.utf8.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(Substring(body[..<(equals ?? body.endIndex)]))
    let attached = equals.map { String(Substring(body[body.index(after: $0)...])) }
    guard let option = scope.first(where: { $0.name == name }) else {
      note(.unknownOption, unknownOptionMessage(name))
      return
    }
    let label = "--\(name)"
    if !option.takesValue, attached != nil {
      note(.unexpectedValue, "option \(label) takes no value")
    } else {
      take(option, label: label, attached: attached, at: index)
    }
  }

  /// Reads `-q`, `-qv`, `-ovalue` or `-o value`.
  mutating func readShortOptions(_ argument: String, at index: Int) {
    var rest = argument.unicodeScalars.dropFirst()
    while let scalar = rest.popFirst() {
      guard let option = scope.first(where: { $0.letter == Character(scalar) }) else {
        note(.unknownOption, unknownLetterMessage(scalar, in: argument))
        return
      }
      let label = "-\(scalar)"
      if option.takesValue {
        let attached = rest.isEmpty ? nil : String(Substring(rest))
        take(option, label: label, attached: attached, at: index)
        return
      }
      take(option, label: label, attached: nil, at: index)
    }
  }

  private mutating func take(_ option: Option, label: String, attached: String?, at index: Int) {
    if option == .helpRequest {
      wantsHelp = true
      wantsAllHelp = wantsAllHelp || label.hasPrefix("--")
    }
    if option == .versionRequest { wantsVersion = true }
    var value = attached.map { ArgumentValue(text: $0, label: label, index: index) }
    if value == nil, option.takesValue {
      value = takeNextValue(of: option, label: label)
      guard value != nil else { return }
    }
    check(option, value, label: label)
    options.append(.init(name: option.name, label: label, value: value))
  }

  private mutating func takeNextValue(of option: Option, label: String) -> ArgumentValue? {
    guard next < arguments.count else {
      note(.missingValue, "option \(label) needs a value, \(option.placeholder ?? "")")
      return nil
    }
    let text = arguments[next]
    if isOptionInScope(text) {
      let shown = shownArgument(text)
      let spelling = label.hasPrefix("--") ? "\(label)=\(shown)" : "\(label)\(shown)"
      note(
        .missingValue,
        "option \(label) needs a value, but '\(shown)' follows; if that is the value, "
          + "write \(spelling)")
      return nil
    }
    next += 1
    return ArgumentValue(text: text, label: label, index: next - 1)
  }

  /// Whether a would-be value is rather the next option, its value having been forgotten.
  private func isOptionInScope(_ text: String) -> Bool {
    guard looksLikeOption(text), !isNegativeNumber(text) else { return false }
    if text == "--" { return true }
    if text.utf8.starts(with: "--".utf8) {
      return scope.contains { text == "--\($0.name)" || text.hasPrefix("--\($0.name)=") }
    }
    return text.unicodeScalars.dropFirst().first.map { letter in
      scope.contains { $0.letter == Character(letter) }
    } ?? false
  }

  private mutating func check(_ option: Option, _ value: ArgumentValue?, label: String) {
    if let earlier = options.first(where: { $0.name == option.name }),
      option.takesValue, !option.isRepeatable
    {
      let also = earlier.label == label ? "" : " (first as \(earlier.label))"
      note(.repeatedOption, "option \(label) is given twice\(also); give it once")
    }
    guard let value else { return }
    if let message = choiceProblem(value, option.completion) { note(.invalidChoice, message) }
  }

  /// Checks that every required option was given.
  ///
  /// - Throws: `UsageError` with code `missingOption`.
  func checkRequiredOptions() throws(UsageError) {
    for option in scope where option.isRequired {
      if options.contains(where: { $0.name == option.name || $0.name == option.waiver }) {
        continue
      }
      throw error(
        .missingOption,
        "option \(option.shortestUsage) is missing: \(option.helpWithChoices)")
    }
  }
}

/// Whether a text starts as negative numbers do, as in `-5` or `-.5`.
private func isNegativeNumber(_ text: String) -> Bool {
  text.utf8.dropFirst().first.map { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) } ?? false
}

/// What is wrong with a value that must be one of several words; nil when it is one.
func choiceProblem(_ value: ArgumentValue, _ completion: CompletionKind) -> String? {
  guard case .choices(let choices) = completion, !choices.contains(value.text) else { return nil }
  let start = "\(value.label): '\(shownArgument(value.text))' is not known"
  // Who gives a part of a word means one of those that have it, and shorter ones rather.
  let parts = choices.filter { value.text.count > 3 && $0.contains(value.text.lowercased()) }
    .sorted { ($0.count, $0) < ($1.count, $1) }
  if !parts.isEmpty {
    return "\(start); did you mean \(parts.prefix(5).joined(separator: " or "))?"
  }
  if let near = nearestWord(to: value.text, among: choices) {
    return "\(start); did you mean \(near)?"
  }
  let shown = choices.prefix(12).joined(separator: ", ")
  return "\(start); use one of \(shown)\(choices.count > 12 ? ", ..." : "")"
}
