package import Formats

extension ManagedObjectModel {
  /// Reads the model that a store carries: a keyed archive packed as raw deflate.
  ///
  /// - Throws: `ModelError` when it cannot be unpacked or is not a usable model.
  init(modelCache bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
    let archive: [UInt8]
    do {
      archive = try inflateRaw(bytes.span, limit: limits.unpackedBytes)
    } catch {
      throw ModelError(.cannotUnpack, String(describing: error))
    }
    try self.init(mom: archive, limits: limits)
  }

  /// Reads a compiled model: a keyed archive as it is.
  ///
  /// - Throws: `ModelError` when it is not a keyed archive of a usable model.
  init(mom bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
    guard bytes.count <= limits.unpackedBytes else {
      throw ModelError(.cannotUnpack, "\(bytes.count) bytes")
    }
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(parsing: bytes)
    } catch {
      throw ModelError(.notAKeyedArchive, String(describing: error))
    }
    try self.init(archive: archive, limits: limits)
  }

  /// Reads an archive whose root is a managed object model.
  ///
  /// - Throws: `ModelError` when it is something else or not usable.
  init(archive: KeyedArchive, limits: ModelLimits = .standard) throws(ModelError) {
    guard archive.root.className == "NSManagedObjectModel" else {
      throw ModelError(.notAModel, archive.root.className ?? "")
    }
    guard let archived = archive.root["NSEntities"]?.members else {
      throw ModelError(.missingValue, "NSEntities")
    }
    guard archived.count <= limits.entities else {
      throw ModelError(.tooManyEntities, String(archived.count))
    }
    var budget = PropertyBudget(limits)
    var entities: [ModelEntity] = []
    for object in archived { entities.append(try ArchivedEntity(object).entity(&budget)) }
    try self.init(entities: entities, limits: limits)
  }
}

extension ArchivedObject {
  /// What an archived collection holds, whether it is a dictionary, an array or a set.
  package var members: [ArchivedObject]? { entries?.map(\.value) ?? elements }
}
