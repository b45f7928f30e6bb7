import CommandLineKit
import Records

extension Finding {
  /// A line about it, for a page that says what it is about.
  var line: String { line(about: "") }

  /// What it is about: a table, an item, an operation; empty where it is the store as a whole.
  var place: String {
    [table, itemID, operation.map { "operation \($0)" }].compactMap(\.self)
      .map(escapedForTerminal).joined(separator: ", ")
  }

  /// A line about it behind what it is about, which may be empty.
  func line(about label: String, _ style: TextStyle = .plain) -> String {
    "\(style.marked(severity)): \(label.isEmpty ? "" : label + ": ")"
      + "\(escapedForTerminal(message)) [\(escapedForTerminal(code))]"
  }
}

/// The first few of some words, as a line has them that tells of all.
func firstFew(_ words: some Collection<String>, _ most: Int = 5) -> String {
  words.prefix(most).joined(separator: ", ") + (words.count > most ? " …" : "")
}

extension OperationSequences {
  /// All of them, one behind the other.
  var listed: String {
    var text = first.map { String($0) } ?? ""
    for number in dropFirst() { text += ", \(number)" }
    return text
  }
}

extension TextStyle {
  /// How much a finding matters, in the colour of that.
  fileprivate func marked(_ severity: Severity) -> String {
    switch severity {
    case .error: red(severity.rawValue)
    case .warning: yellow(severity.rawValue)
    case .note: dim(severity.rawValue)
    }
  }
}

extension ModelSummary {
  /// The model for a person: each entity with its attributes and relationships.
  func lines(_ style: TextStyle) -> [String] {
    var lines = ["Model:"]
    for entity in entities {
      lines.append(entity.heading(style))
      lines += entity.attributes.map(\.line)
      lines += entity.relationships.map(\.line)
    }
    return lines + [""]
  }
}

extension ModelSummary.Entity {
  fileprivate func heading(_ style: TextStyle) -> String {
    let parent = parent.map { ": \(escapedForTerminal($0))" } ?? ""
    let mark = isAbstract ? " (abstract)" : ""
    return "  " + style.bold(escapedForTerminal(name)) + parent + mark
  }
}

extension ModelSummary.Attribute {
  fileprivate var line: String {
    let mark = isOptional ? ", optional" : ""
    return "    " + escapedForTerminal(name) + ": " + escapedForTerminal(type) + mark
  }
}

extension ModelSummary.Relationship {
  fileprivate var line: String {
    let number = isToMany ? (isOrdered ? "many in order, " : "many, ") : ""
    let inverse = inverse.map { ", inverse " + escapedForTerminal($0) } ?? ""
    let target = escapedForTerminal(destination ?? "unknown")
    return "    " + escapedForTerminal(name) + " → " + number + target + inverse
  }
}
