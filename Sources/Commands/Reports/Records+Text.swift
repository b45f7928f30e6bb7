import CommandLineKit
import Records

extension Finding {
  var line: String { line(about: "") }

  /// The same, with what it is about where that needs saying.
  func line(about label: String) -> String {
    "\(severity.rawValue): \(label.isEmpty ? "" : label + ": ")"
      + "\(escapedForTerminal(message)) [\(code)]"
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
