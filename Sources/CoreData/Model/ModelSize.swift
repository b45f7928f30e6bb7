/// How much a model asks a reader to keep in mind.
struct ModelSize {
  private let entities: [ModelEntity]
  private let forest: EntityForest
  private let incoming: [Int]

  /// Takes entities as listed, before inherited copies are dropped.
  init(_ entities: [ModelEntity], indexes: [String: Int], forest: EntityForest) {
    self.entities = entities
    self.forest = forest
    // A to-many relationship without inverse puts a column into its destination's table.
    var incoming = [Int](repeating: 0, count: entities.count)
    for relationship in entities.lazy.flatMap(\.relationships) where relationship.isToMany {
      if let destination = indexes[relationship.destination] { incoming[destination] += 1 }
    }
    self.incoming = incoming
  }

  /// Compares the size with the limits.
  ///
  /// - Throws: `ModelError` when the model is too large, or an element has no name.
  func check(_ limits: ModelLimits) throws(ModelError) {
    var budget = PropertyBudget(limits)
    var held = [Int](repeating: 0, count: entities.count)
    var total = 0
    for index in forest.order {
      let entity = entities[index]
      var own = entity.attributes.count + entity.relationships.count
      try budget.spend(own, at: entity.name)
      for attribute in entity.attributes {
        own += try Self.elements(of: attribute, depth: 0, entity.name, &budget)
      }
      held[index] = own + incoming[index] + (forest.parents[index].map { held[$0] } ?? 0)
      total += held[index]
      guard total <= limits.inheritedProperties else {
        throw ModelError(.tooManyProperties, entity.name)
      }
    }
  }

  private static func elements(
    of attribute: ModelAttribute, depth: Int, _ entity: String, _ budget: inout PropertyBudget
  ) throws(ModelError) -> Int {
    guard !attribute.elements.isEmpty else { return 0 }
    let context = "\(entity).\(attribute.name)"
    var count = attribute.elements.count
    try budget.enter(depth: depth, spending: count, at: context)
    for element in attribute.elements {
      guard !element.name.isEmpty else { throw ModelError(.missingName, "element of \(context)") }
      count += try elements(of: element, depth: depth + 1, entity, &budget)
    }
    return count
  }
}

/// Bounds that honest models stay far under, so that a hostile one is refused early.
struct ModelLimits: Sendable, Equatable {
  /// Entities in one model; from 16001 on the numbers belong to the system's own entities.
  var entities = 16_000
  /// Properties and composite elements in one model, counted in each entity that lists them.
  var properties = 50_000
  /// What all rows can hold: own and inherited properties, elements, and owners of rows.
  var inheritedProperties = 200_000
  /// Entities on the way from a root entity to its deepest descendant.
  var inheritanceDepth = 64
  var compositeDepth = 8
  var unpackedBytes = 64 << 20

  /// What is used unless a test asks for less.
  static let standard = ModelLimits()
}

/// How many more properties a model may have while it is being read.
///
/// Parts of an archive are shared by reference, so a small one can unfold into very much.
struct PropertyBudget {
  private let compositeDepth: Int
  private var left: Int

  init(_ limits: ModelLimits) {
    compositeDepth = limits.compositeDepth
    left = limits.properties
  }

  /// Takes properties off the budget.
  ///
  /// - Throws: `ModelError` when there are not so many left.
  mutating func spend(_ count: Int, at context: String) throws(ModelError) {
    guard count <= left else { throw ModelError(.tooManyProperties, context) }
    left -= count
  }

  /// Takes the elements of a composite off the budget, if it is not nested too deeply.
  ///
  /// - Throws: `ModelError` when either bound is passed.
  mutating func enter(
    depth: Int, spending count: Int, at context: String
  ) throws(ModelError) {
    guard depth < compositeDepth else { throw ModelError(.compositeTooDeep, context) }
    try spend(count, at: context)
  }
}

/// Why a managed object model cannot be used.
struct ModelError: Error, Equatable {
  /// The kinds of trouble.
  enum Code: String, Sendable {
    case cannotUnpack
    case notAKeyedArchive
    case notAModel
    case missingName
    case missingValue
    case duplicateEntity
    case duplicateProperty
    case unknownSuperentity
    case cyclicSuperentity
    case unknownPropertyClass
    case inheritanceTooDeep
    case compositeTooDeep
    case tooManyEntities
    case tooManyProperties
  }

  /// What went wrong.
  let code: Code
  /// The entity, the property or the key it went wrong at; empty when it is the whole model.
  let context: String

  /// Makes an error that names its place.
  init(_ code: Code, _ context: String = "") {
    self.code = code
    self.context = context
  }
}

extension ModelError: CustomStringConvertible {
  var description: String {
    context.isEmpty ? sentence : "\(sentence): \(context)"
  }

  private var sentence: String {
    switch code {
    case .cannotUnpack: "the embedded model cannot be unpacked"
    case .notAKeyedArchive: "the model is not a readable keyed archive"
    case .notAModel: "the archive does not hold a managed object model"
    case .missingName: "a part of the model has no name"
    case .missingValue: "a part of the model lacks a value it needs"
    case .duplicateEntity: "two entities have one name"
    case .duplicateProperty: "two properties of an entity have one name"
    case .unknownSuperentity: "an entity descends from one the model does not have"
    case .cyclicSuperentity: "an entity descends from itself"
    case .unknownPropertyClass: "a property is of a class this version does not know"
    case .inheritanceTooDeep: "entities descend from each other through too many levels"
    case .compositeTooDeep: "composite attributes are nested too deeply"
    case .tooManyEntities: "the model has too many entities"
    case .tooManyProperties: "the model has too many properties"
    }
  }
}
