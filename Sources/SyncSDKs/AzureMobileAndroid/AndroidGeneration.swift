import Tables

/// The shapes that the SDK for Android gave its stores.
enum AndroidGeneration: String, CaseIterable, Sendable {
  /// Mobile Services 1.x and 2.x.
  case d1
  /// The first Mobile Apps 3.0.
  case d2
  /// Later 3.x.
  case d3
}

/// What a store shows that tells generations apart.
struct AndroidTraits: Equatable, Sendable {
  /// Whether operations hold the deleted item.
  var hasItem = false
  /// Whether operations have a date, in the new and in the old spelling.
  var hasNewDate = false
  var hasOldDate = false
  /// Whether deleted items have a table of their own.
  var hasBackups = false

  /// Looks at the tables.
  init(_ tables: SystemTables) {
    hasItem = tables.has(AndroidNames.operations, ["item"])
    hasNewDate = tables.has(AndroidNames.operations, ["createdat"])
    hasOldDate = tables.has(AndroidNames.operations, ["__createdat"])
    hasBackups = tables.has(AndroidNames.backups)
  }

  /// The nearest generation; an upgraded file counts as the newest that wrote to it.
  var generation: AndroidGeneration { hasItem ? .d3 : hasNewDate ? .d2 : .d1 }

  /// What speaks for the nearest generation and what differs from it, a sentence each.
  var evidence: [String] {
    let generation = generation
    let checks = [
      TraitCheck(
        hasItem, expected: generation == .d3, "operations hold the deleted item",
        "operations do not hold the deleted item"),
      TraitCheck(
        hasNewDate, expected: generation != .d1, "operations have createdat",
        "operations have no createdat"),
      TraitCheck(
        hasOldDate, expected: generation == .d1, "operations have __createdat, of Mobile Services",
        "operations have no __createdat"),
      TraitCheck(
        hasBackups, expected: generation != .d3, "table \(AndroidNames.backups)",
        "no table \(AndroidNames.backups)"),
    ]
    return checks.evidence(for: generation.rawValue)
  }
}
