extension CompletionScript {
  /// The script for bash, to be sourced or installed as a file named after the tool.
  package static func bash(for root: Command) -> String {
    let stops = stops(of: root)
    let function = "_" + identifier(root.name)
    let lines =
      ["# bash completion for \(root.name)", ""] + helpers(function) + [""]
      + walk(function, root, stops)
      + offers(function, stops) + ["}", "", "complete -F \(function) \(quoted(root.name))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func helpers(_ function: String) -> [String] {
    [
      "# Offers those of the given words that begin with what is typed.",
      "\(function)_words() {",
      "  local word",
      "  for word in \"$@\"; do",
      "    if [[ $word == \"$cur\"* ]]; then",
      "      # What has a meaning to the shell is inserted with backslashes.",
      "      printf -v word %q \"$word\"",
      "      COMPREPLY+=(\"$attached$word\")",
      "    fi",
      "  done",
      "}",
      "",
      "# Offers paths: -f for all files, -d for folders.",
      "\(function)_paths() {",
      "  local word",
      "  compopt -o filenames 2>/dev/null",
      "  while IFS= read -r word; do",
      "    COMPREPLY+=(\"$attached$word\")",
      "  done < <(compgen \"$1\" -- \"$cur\")",
      "}",
    ]
  }

  /// Finds the selected command, the number of words after it, and an option that awaits a value.
  private static func walk(
    _ function: String, _ root: Command, _ stops: [Stop]
  ) -> [String] {
    [
      "\(function)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} path=\(quoted(root.name))",
      "  local word index place=0 option= previous= attached= ended=",
      "  COMPREPLY=()",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    word=${COMP_WORDS[index]}",
      "    # bash splits --name=value into three words.",
      "    if [[ $word == = && $previous == --* ]]; then",
      "      option=$previous previous=",
      "    elif [[ -n $option ]]; then",
      "      option= previous=",
      "    elif [[ -z $ended && $word == -- ]]; then",
      "      ended=1",
      "    elif [[ -z $ended && $word == -?* ]]; then",
      "      previous=$word",
      "      case \"$path $word\" in",
    ]
      + arm(stops.flatMap(\.valueOptions), "option=$word", indent: 8) + [
        "      esac",
        "    else",
        "      previous=",
        "      case \"$path $word\" in",
      ]
      + arm(stops.dropFirst().map(\.name), "path=\"$path $word\"", indent: 8) + [
        "        *) place=$((place + 1)) ;;",
        "      esac",
        "    fi",
        "  done",
        "  if [[ $cur == = && $previous == --* ]]; then",
        "    option=$previous cur=",
        "  elif [[ -z $ended && -z $option && $cur == --*=* ]]; then",
        "    option=${cur%%=*} attached=${cur%%=*}= cur=${cur#*=}",
        "  fi",
      ]
  }

  private static func offers(_ function: String, _ stops: [Stop]) -> [String] {
    var lines = ["  if [[ -n $option ]]; then", "    case \"$path $option\" in"]
    for stop in stops { lines += valueArms(function, stop) }
    lines += ["    esac", "  elif [[ -z $ended && $cur == -* ]]; then", "    case $path in"]
    for stop in stops where !stop.options.isEmpty {
      let names = stop.options.flatMap(\.spellings)
      lines += arm([stop.name], wordsOffer(function, names), indent: 6)
    }
    lines += ["    esac", "  else", "    case \"$path $place\" in"]
    for stop in stops { lines += placeArms(function, stop) }
    return lines + ["    esac", "  fi"]
  }

  private static func valueArms(_ function: String, _ stop: Stop) -> [String] {
    stop.options.flatMap { option in
      offer(function, option.completion).map {
        arm(option.spellings.map { "\(stop.name) \($0)" }, $0, indent: 6)
      } ?? []
    }
  }

  private static func placeArms(_ function: String, _ stop: Stop) -> [String] {
    if !stop.words.isEmpty {
      return arm(["\(stop.name) 0"], wordsOffer(function, stop.words.map(\.word)), indent: 6)
    }
    return stop.places.flatMap { place -> [String] in
      guard let command = offer(function, place.kind) else { return [] }
      // An open-ended place comes after the fixed ones, so the wildcard hides none of them.
      let pattern =
        place.isOpenEnded ? quoted("\(stop.name) ") + "*" : quoted("\(stop.name) \(place.index)")
      return ["      \(pattern)) \(command) ;;"]
    }
  }

  private static func offer(_ function: String, _ kind: CompletionKind) -> String? {
    switch kind {
    case .free: nil
    case .file: "\(function)_paths -f"
    case .folder: "\(function)_paths -d"
    case .choices(let words), .suggestions(let words): wordsOffer(function, words)
    }
  }

  private static func wordsOffer(_ function: String, _ words: [String]) -> String {
    "\(function)_words " + words.map(quoted).joined(separator: " ")
  }

  /// One arm of a `case`; none when there is nothing to match.
  private static func arm(_ patterns: [String], _ command: String, indent: Int) -> [String] {
    guard !patterns.isEmpty else { return [] }
    let margin = String(repeating: " ", count: indent)
    return ["\(margin)\(patterns.map(quoted).joined(separator: "|"))) \(command) ;;"]
  }
}
