@testable import CoreData

/// Short ways to write models, for tests that are about something else.
func entity(
  _ name: String, parent: String? = nil, abstract: Bool = false, renamedFrom: String? = nil,
  _ attributes: [ModelAttribute] = [], _ relationships: [ModelRelationship] = []
) -> ModelEntity {
  ModelEntity(
    name: name, isAbstract: abstract, parent: parent, renamingIdentifier: renamedFrom,
    attributes: attributes, relationships: relationships)
}

func attribute(
  _ name: String, _ type: AttributeType = .string, transient: Bool = false,
  elements: [ModelAttribute] = []
) -> ModelAttribute {
  ModelAttribute(name: name, type: type, isTransient: transient, elements: elements)
}

func toOne(_ name: String, _ destination: String, inverse: String? = nil) -> ModelRelationship {
  ModelRelationship(name: name, destination: destination, inverseName: inverse, maxCount: 1)
}

func toMany(
  _ name: String, _ destination: String, inverse: String? = nil, max: Int64 = 0,
  ordered: Bool = false
) -> ModelRelationship {
  ModelRelationship(
    name: name, destination: destination, inverseName: inverse, maxCount: max,
    isOrdered: ordered)
}

/// The prediction for a model, and shortcuts to what tests ask of it.
struct Prediction {
  let model: ManagedObjectModel
  let schema: PredictedSchema

  init(_ entities: [ModelEntity]) throws {
    model = try ManagedObjectModel(entities: entities)
    schema = PredictedSchema(model: model, numbering: EntityNumbering(predicting: model))
  }

  /// The columns of a table as `NAME TYPE`, in order.
  func columns(of table: String) -> [String] {
    let found = schema.tables.first { $0.name == table }
    return (found?.columns ?? []).map { "\($0.name) \($0.type?.rawValue ?? "?")" }
  }

  /// The column of a property as `Entity.property -> NAME`.
  func assignments(of table: String) -> [String] {
    let found = schema.tables.first { $0.name == table }
    return (found?.columns ?? []).map { "\($0.property) -> \($0.name)" }
  }
}

/// A table of objects with its three leading columns and others written as `NAME TYPE`.
func table(_ name: String, _ columns: String...) -> ActualTable {
  plainTable(name, ["Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER"] + columns)
}

func joinTable(_ name: String, _ columns: String...) -> ActualTable {
  plainTable(name, columns.map { "\($0) INTEGER" })
}

private func plainTable(_ name: String, _ columns: [String]) -> ActualTable {
  ActualTable(
    name: name,
    columns: columns.map { column in
      let parts = column.split(separator: " ", maxSplits: 1).map(String.init)
      return (name: parts[0], declaredType: parts.count > 1 ? parts[1] : "")
    })
}

func resolve(_ entities: [ModelEntity], in tables: [ActualTable]) throws -> SchemaResolution {
  let model = try ManagedObjectModel(entities: entities)
  return SchemaResolution(
    model: model, numbering: EntityNumbering(predicting: model), tables: tables)
}

extension SchemaResolution {
  /// `Entity.property -> COLUMN` for everything an entity holds.
  func columns(of name: String) -> [String] {
    (entity(named: name)?.properties ?? []).map {
      "\($0.name) -> \($0.column?.name ?? "nothing")"
    }
  }

  func reference(_ name: String, of entityName: String) -> ResolvedReference? {
    for case .reference(let reference) in entity(named: entityName)?.properties ?? []
    where reference.name == name {
      return reference
    }
    return nil
  }

  func attribute(_ name: String, of entityName: String) -> ResolvedAttribute? {
    for case .attribute(let attribute) in entity(named: entityName)?.properties ?? []
    where attribute.name == name {
      return attribute
    }
    return nil
  }
}

func column(_ name: String, _ declaredType: String, _ position: Int) -> ActualColumn {
  ActualColumn(name: name, declaredType: declaredType, position: position)
}
