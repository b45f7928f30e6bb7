import CommandLineKit
import Records

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

extension ReportJSON {
  /// An object model, with null where something is not known.
  init(_ model: ModelSummary) {
    self = ["entities": .array(model.entities.map { ReportJSON($0) })]
  }

  private init(_ entity: ModelSummary.Entity) {
    self = [
      "name": .string(entity.name), "parent": ReportJSON(entity.parent),
      "isAbstract": .boolean(entity.isAbstract),
      "attributes": .array(
        entity.attributes.map { attribute in
          [
            "name": .string(attribute.name), "type": .string(attribute.type),
            "isOptional": .boolean(attribute.isOptional),
          ]
        }),
      "relationships": .array(entity.relationships.map { ReportJSON($0) }),
    ]
  }

  private init(_ relationship: ModelSummary.Relationship) {
    self = [
      "name": .string(relationship.name), "destination": ReportJSON(relationship.destination),
      "isToMany": .boolean(relationship.isToMany),
      "isOrdered": .boolean(relationship.isOrdered),
      "inverse": ReportJSON(relationship.inverse),
    ]
  }
}
