extension CompletionScript {
  /// The script for zsh, to be sourced or installed as `_NAME` in a folder of `fpath`.
  package static func zsh(for root: Command) -> String {
    let main = functionName([root.name])
    let stops = stops(of: root)
    let names = Set(stops.map(\.names))
    let functions = stops.flatMap { zshFunction($0, among: names) + [""] }
    let lines =
      ["#compdef \(root.name)", ""] + functions + [
        "# Autoloaded, this file is the body of the function; sourced, it registers it.",
        "if [[ $funcstack[1] == \(main) ]]; then",
        "  \(main) \"$@\"",
        "else",
        "  compdef \(main) \(quoted(root.name))",
        "fi",
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func functionName(_ names: [String]) -> String {
    "_" + names.map(identifier).joined(separator: "_")
  }

  private static func zshFunction(_ stop: Stop, among stops: Set<[String]>) -> [String] {
    let options = stop.options.flatMap(optionSpecifications)
    let isGroup = !stop.words.isEmpty
    let places =
      isGroup
      ? ["':command:->command'", "'*::argument:->argument'"]
      : stop.positionals.map(placeSpecification)
    let specifications = (options + places).map { "    \($0)" }
    let head = [
      "\(functionName(stop.names))() {",
      "  local curcontext=\"$curcontext\" state line ret=1",
      "  typeset -A opt_args",
      "  local -a specifications=(",
    ]
    let call = ["  )", "  _arguments -s -S -C $specifications && ret=0"]
    return head + specifications + call + (isGroup ? groupBody(stop, stops) : []) + [
      "  return ret", "}",
    ]
  }

  private static func groupBody(_ stop: Stop, _ stops: Set<[String]>) -> [String] {
    let commands = stop.words.map { word, summary in
      "        " + quoted("\(colonsEscaped(word)):\(summary)")
    }
    let arms = stop.words.map { stop.names + [$0.word] }.filter(stops.contains).map { names in
      "        \(quoted(names.last ?? ""))) \(functionName(names)) && ret=0 ;;"
    }
    return ["  case $state in", "    command)", "      local -a commands=("] + commands + [
      "      )", "      _describe -t commands command commands && ret=0 ;;", "    argument)",
      "      case $words[1] in",
    ] + arms + ["      esac ;;", "  esac"]
  }

  /// One specification for `_arguments` for each spelling of an option.
  private static func optionSpecifications(_ option: Option) -> [String] {
    let once = "(\(option.spellings.joined(separator: " ")))"
    return option.spellings.map { spelling in
      let isLong = spelling.hasPrefix("--")
      let start = (option.isRepeatable ? "*" : once) + spelling
      let help = "[\(bracketsEscaped(option.help))]"
      guard let placeholder = option.placeholder else { return quoted(start + help) }
      let value = ":\(colonsEscaped(placeholder)):\(action(option.completion))"
      return quoted(start + (isLong ? "=" : "+") + help + value)
    }
  }

  private static func placeSpecification(_ positional: Positional) -> String {
    let start =
      switch positional.cardinality {
      case .one: ":"
      case .optional: "::"
      case .oneOrMore: "*:"
      case .zeroOrMore: "*:"
      }
    return quoted(start + colonsEscaped(positional.name) + ":" + action(positional.completion))
  }

  private static func action(_ kind: CompletionKind) -> String {
    switch kind {
    // A single space shows the placeholder and completes nothing.
    case .free: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choices(let words), .suggestions(let words):
      "(\(words.map(wordEscaped).joined(separator: " ")))"
    }
  }

  private static func colonsEscaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  private static func bracketsEscaped(_ text: String) -> String {
    colonsEscaped(text).replacing("[", with: "\\[").replacing("]", with: "\\]")
  }

  /// Inside an action's list every character that is special to zsh needs a backslash.
  private static func wordEscaped(_ word: String) -> String {
    var result = ""
    for scalar in word.unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_./,+%@".unicodeScalars.contains(scalar)
      if !isPlain { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
