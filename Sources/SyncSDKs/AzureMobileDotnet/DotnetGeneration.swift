import Tables

/// The shapes that the managed SDKs of Mobile Services and Mobile Apps gave their stores.
enum DotnetGeneration: String, CaseIterable, Sendable {
  /// Up to 1.3.0-alpha4.
  case a0
  /// 1.3.0-beta and beta2.
  case a1
  /// 1.3.0-beta3.
  case a2
  /// 1.3.0 to 2.0.0-beta2.
  case a3
  /// The Mobile Apps client, 2.0.0 to 4.2.
  case b
}

/// What a store shows that tells generations apart.
struct DotnetTraits: Equatable, Sendable {
  /// Whether operations have a date, in the new and in the old spelling.
  var hasNewDate = false
  var hasOldDate = false
  /// Whether operations have a state or a version.
  var hasState = false
  /// Whether operations tell the kind of their table.
  var hasTableKind = false
  /// Whether errors repeat the operation's id.
  var hasOperationID = false
  /// Whether keys of the configuration have pipes, or the underscores of the previews.
  var hasPipeKeys = false
  var hasOldKeys = false

  /// The nearest generation.
  ///
  /// `operationId` may survive from an older file, so the style of the keys counts more.
  var generation: DotnetGeneration {
    if hasNewDate || !hasOldDate { return .b }
    if hasTableKind { return hasOperationID && !hasPipeKeys ? .a2 : .a3 }
    return hasState ? .a1 : .a0
  }

  /// What speaks for the nearest generation and what differs from it, a sentence each.
  var evidence: [String] {
    let generation = generation
    let isB = generation == .b
    let isOld = generation == .a0 || generation == .a1
    var checks = [
      TraitCheck(
        hasNewDate, expected: isB, "operations have createdAt", "operations have no createdAt"),
      TraitCheck(
        hasOldDate, expected: !isB, "operations have __createdAt, of Mobile Services",
        "operations have no __createdAt"),
      TraitCheck(
        hasState, expected: generation != .a0, "operations have a state", "operations have no state"
      ),
      TraitCheck(
        hasTableKind, expected: !isOld, "operations have a table kind",
        "operations have no table kind"),
      TraitCheck(
        hasOperationID, expected: isOld || generation == .a2, "errors have an operationId",
        "errors have no operationId"),
    ]
    if hasPipeKeys || hasOldKeys {
      let isNew = generation == .a3 || isB
      checks.append(
        TraitCheck(hasPipeKeys, expected: isNew, "keys with pipes", "no keys with pipes"))
      checks.append(
        TraitCheck(
          hasOldKeys, expected: !isNew, "keys with underscores, of the previews",
          "no keys with underscores"))
    }
    return checks.evidence(for: generation.rawValue)
  }
}
