/// What the house style forbids, as checks of text that know no files.
enum ProjectRules {
  /// What may stand in the project's folder besides hidden files.
  static let topLevel: Set<String> = [
    "Package.swift", "Package.resolved", "README.md", "LICENSE", "LICENSE.md", "LICENSE.txt",
    "Sources", "Tests", "samples", "man",
    // What `samples/quickstart` leaves behind; git ignores it.
    "quickstart-output",
  ]

  /// The entries of the project's folder that are not allowed there.
  static func strangers(in entries: [String]) -> [String] {
    entries.filter { !$0.hasPrefix(".") && !topLevel.contains($0) }.sorted()
  }

  /// The modules that a file imports, whatever the access or kind of the import.
  static func imports(of source: String) -> [String] {
    lines(of: source).compactMap { line in
      var words = line.split { $0 == " " || $0 == ";" }.map(String.init)
      while let first = words.first, isModifier(first) { words.removeFirst() }
      guard words.first == "import", words.count > 1 else { return nil }
      let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let path = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return path.split(separator: ".").first.map(String.init)
    }
  }

  private static func isModifier(_ word: String) -> Bool {
    let access: Set = ["package", "public", "internal", "private", "fileprivate"]
    return word.hasPrefix("@") || access.contains(word)
  }

  /// Language that no source may contain, with the number of its line.
  static func forbiddenWords(in source: String) -> [String] {
    let forbidden: [(String, Regex<Substring>)] = [
      ("try!", /\btry\s*!/), ("as!", /\bas\s*!/), ("fatalError", /\bfatalError\b/),
      ("public", /\b(?:public|open)\s+(?:@\w+\s+)*[a-z]/),
    ].map { ($0.0, $0.1.wordBoundaryKind(.simple)) }
    return lines(of: source).enumerated().flatMap { number, line in
      forbidden.filter { line.firstMatch(of: $0.1) != nil }.map { "\(number + 1): \($0.0)" }
    }
  }

  /// The lines without what stands in comments or in texts.
  private static func lines(of source: String) -> [String] {
    var isInText = false
    // Made once: a pattern costs more than most lines.
    let quoted = /"(?:\\.|[^"\\])*"/
    return source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = String(line)
      let marks = text.ranges(of: "\"\"\"").count
      defer { if marks % 2 == 1 { isInText.toggle() } }
      guard !isInText, marks == 0 else { return "" }
      let bare = text.contains("\"") ? text.replacing(quoted, with: "\"\"") : text
      return bare.firstRange(of: "//").map { String(bare[..<$0.lowerBound]) } ?? bare
    }
  }

  /// The dependencies of each target that a manifest in the project's manner declares.
  ///
  /// What lies below `Tests` is no part of the product and in no layer.
  static func targets(of manifest: String) -> [String: [String]] {
    let list = manifest.firstRange(of: "targets: [\n").map { manifest[$0.upperBound...] } ?? ""
    var targets: [String: [String]] = [:]
    let declaration =
      #/
      (?: library | \.executableTarget | \.systemLibrary | \.target ) \( \s*
      (?: name: \s* )? "(\w+)" (?: ,\s* (?: dependencies: \s* )? \[ ([^\]]*) \] )?
      (?: ,\s* path: \s* "(Tests/[^"]*)" )?
      /#
    for match in list.matches(of: declaration) where match.output.3 == nil {
      let names = (match.output.2 ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
      targets[String(match.output.1)] = names
    }
    return targets
  }

  /// The edges of the manifest that the layers do not allow.
  static func objections(toManifest manifest: String) -> [String] {
    targets(of: manifest).flatMap { target, dependencies in
      (LayerTable.layer(of: target) == nil ? ["\(target) is in no layer"] : [])
        + dependencies.compactMap { LayerTable.objection(to: $0, in: target) }
    }.sorted()
  }

  /// The imports of one source file that the layers do not allow.
  static func objections(toImportsOf source: String, in target: String) -> [String] {
    imports(of: source).compactMap { LayerTable.objection(to: $0, in: target) }
  }
}
