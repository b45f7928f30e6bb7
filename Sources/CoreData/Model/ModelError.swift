/// Why a managed object model cannot be used.
package struct ModelError: Error, Equatable {
  /// The kinds of trouble.
  package enum Code: String, Sendable {
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
  package let code: Code
  /// The entity, the property or the key it went wrong at; empty when it is the whole model.
  package let context: String

  /// Makes an error that names its place.
  init(_ code: Code, _ context: String = "") {
    self.code = code
    self.context = context
  }
}

extension ModelError: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
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
