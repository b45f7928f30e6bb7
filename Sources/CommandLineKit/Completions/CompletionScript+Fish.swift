extension CompletionScript {
  /// The script for fish, to be sourced or installed as `NAME.fish`.
  package static func fish(for root: Command) -> String {
    let stops = stops(of: root)
    let condition = "__\(identifier(root.name))_at"
    let complete = "complete -c \(fishQuoted(root.name))"
    let entries = stops.flatMap { stop -> [String] in
      fishEntries(stop, condition).map { "\(complete) \($0)" }
    }
    let lines =
      ["# fish completion for \(root.name)", ""] + fishCondition(condition, root, stops)
      + ["", "\(complete) -f"] + entries
    return lines.joined(separator: "\n") + "\n"
  }

  /// A function that is true when the command line has selected a command and, where a number is
  /// given, that many words follow it.
  private static func fishCondition(
    _ name: String, _ root: Command, _ stops: [Stop]
  ) -> [String] {
    let head = [
      "function \(name)",
      "    set -l path \(fishQuoted(root.name))",
      "    set -l place 0",
      "    set -l skip",
      "    set -l ended",
      "    set -l words (commandline -opc)",
      "    for word in $words[2..-1]",
      "        if test -n \"$skip\"",
      "            set skip",
      "            continue",
      "        end",
      "        if test -z \"$ended\"; and string match -qr -- '^-.' \"$word\"",
      "            switch \"$path $word\"",
      "                case '* --'",
      "                    set ended 1",
    ]
    let skipping = fishCase(stops.flatMap(\.valueOptions), "set skip 1", indent: 16)
    let descending = fishCase(stops.dropFirst().map(\.name), "set path \"$path $word\"", indent: 12)
    return head + skipping + [
      "            end", "            continue", "        end", "        switch \"$path $word\"",
    ] + descending + [
      "            case '*'",
      "                set place (math $place + 1)",
      "        end",
      "    end",
      "    test \"$path\" = \"$argv[1]\"; or return 1",
      "    test (count $argv) -eq 1; or test $place -eq $argv[2]",
      "end",
    ]
  }

  private static func fishCase(_ patterns: [String], _ command: String, indent: Int) -> [String] {
    guard !patterns.isEmpty else { return [] }
    let margin = String(repeating: " ", count: indent)
    return [
      "\(margin)case " + patterns.map(fishQuoted).joined(separator: " "), "\(margin)    \(command)",
    ]
  }

  private static func fishEntries(_ stop: Stop, _ condition: String) -> [String] {
    let here = "-n " + fishQuoted("\(condition) \(fishQuoted(stop.name))")
    let first = "-n " + fishQuoted("\(condition) \(fishQuoted(stop.name)) 0")
    let words = stop.words.map { "\(first) -a \(fishQuoted($0.word)) -d \(fishQuoted($0.summary))" }
    let places = stop.places.compactMap { place -> String? in
      guard let offer = fishOffer(place.kind) else { return nil }
      let at =
        "\(condition) \(fishQuoted(stop.name))" + (place.isOpenEnded ? "" : " \(place.index)")
      return "-n \(fishQuoted(at)) \(offer)"
    }
    return words + places + stop.options.map { "\(here) \(fishOption($0))" }
  }

  private static func fishOption(_ option: Option) -> String {
    var parts = ["-l \(fishQuoted(option.name))"]
    if let letter = option.letter { parts.append("-s \(letter)") }
    if option.takesValue { parts.append(option.completion == .file ? "-r" : "-x") }
    if let offer = fishOffer(option.completion) { parts.append(offer) }
    parts.append("-d \(fishQuoted(option.help))")
    return parts.joined(separator: " ")
  }

  private static func fishOffer(_ kind: CompletionKind) -> String? {
    switch kind {
    case .free: nil
    case .file: "-F"
    case .folder: "-a '(__fish_complete_directories)'"
    // fish splits and unquotes the list once more when it completes.
    case .choices(let words), .suggestions(let words):
      "-a " + fishQuoted(words.map(fishQuoted).joined(separator: " "))
    }
  }

  private static func fishQuoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
