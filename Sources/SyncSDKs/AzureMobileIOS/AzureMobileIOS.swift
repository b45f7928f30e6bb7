package import Records

extension Layout {
  package static let azureMobileIOS = Layout(named: "azure-mobile-ios")
}

extension SDK {
  /// The SDK for iOS of Mobile Services and Mobile Apps, whose stores are Core Data's; that is found
  /// out before any SDK is asked.
  static let azureMobileIOS = SDK(
    layout: .azureMobileIOS,
    traits: { generation in
      let isNew = generation == IOSGeneration.g2.rawValue
      var traits = SDKTraits()
      traits.dialect = isNew ? .v2 : .v1
      traits.style = SDKStyle(
        omitsNulls: generation == IOSGeneration.g0.rawValue,
        reservedPrefixes: isNew ? [] : [IOSNames.oldPrefix, IOSNames.oldWirePrefix])
      // Since 3.1 what the model says is a truth value is sent as one.
      traits.numbers = isNew ? .truthValues : nil
      traits.hasModels = true
      traits.keepsSeveralOperations = true
      traits.hasKindsInPayloads = true
      // What has no prefix in an older store is the app's own, and sent as such.
      traits.systemPrefixes = isNew ? ["", IOSNames.oldPrefix] : [IOSNames.oldPrefix]
      return traits
    }, recognise: nil)
}

/// How the SDK spells what it keeps in a store; all of it, and nothing else.
package enum IOSNames {
  /// The entity of the queue.
  package static let operations = "MS_TableOperations"
  /// The entity of the failures.
  static let errors = "MS_TableOperationErrors"
  /// The entity of the delta tokens.
  static let configuration = "MS_TableConfig"

  /// The entities that are the SDK's own and not the app's.
  static let systemEntities: Set<String> = [operations, errors, configuration]

  /// The physical tables of the system entities.
  package static let operationsTable = "ZMS_TABLEOPERATIONS"
  static let errorsTable = "ZMS_TABLEOPERATIONERRORS"
  static let configurationTable = "ZMS_TABLECONFIG"

  /// The system properties of an item, without any prefix.
  static let systemRoles: [(name: String, role: ColumnRole, type: LogicalType)] = [
    ("version", .version, .text),
    ("createdAt", .createdAt, .timestamp),
    ("updatedAt", .updatedAt, .timestamp),
    ("deleted", .deleted, .boolean),
  ]

  /// The prefix of system attributes up to 3.0.0-beta3, where G2 has none.
  static let oldPrefix = "ms_"
  /// The prefix of system properties on the wire and in payloads up to 3.0.0-beta3.
  static let oldWirePrefix = "__"

  /// The kind of operation that a code means.
  package static func kind(_ code: Int64?) -> OperationKind? {
    switch code {
    case 0: .insert
    case 1: .update
    case 2: .delete
    default: nil
    }
  }

  /// The keys under which a payload may hold the version, the generation's own first.
  static func versionKeys(of generation: IOSGeneration) -> [StaticString] {
    generation == .g2
      ? ["version", "__version", "ms_version"] : ["__version", "ms_version", "version"]
  }
}

/// The three shapes that the SDK gave its stores; the raw values are those of the reports.
enum IOSGeneration: String, CaseIterable, Sendable {
  /// The 2014 previews: no configuration table, `ms_` attributes.
  case g0 = "2014"
  /// The 2.x releases: configuration table, `ms_` attributes.
  case g1 = "2015"
  /// The 3.x releases: configuration table, attributes without a prefix.
  case g2 = "2016"
}
