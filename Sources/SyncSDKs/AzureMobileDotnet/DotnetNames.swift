import Records
import Tables

/// How the managed SDKs spell what they keep in a store; Mobile Services, Mobile Apps and Datasync.
package enum DotnetNames {
  package static let operations = "__operations"
  package static let errors = "__errors"
  static let configuration = "__config"

  /// The tables of the SDKs.
  static let systemTables: Set<String> = [operations, errors, configuration]

  /// The columns without which operations and settings cannot be an SDK's.
  static let operationColumns = ["id", "kind", "tableName", "itemId", "item", "sequence"]
  static let configurationColumns = ["id", "value"]

  /// The prefix of system columns up to 2.0.0-beta2.
  static let oldPrefix = "__"

  /// What the declared types of generation a2 and later mean; earlier ones use fewer of them.
  static func declaredTypes(time unit: StoredTime.Unit) -> [String: ColumnForm] {
    [
      "text": .text, "integer": .integer, "int": .integer, "real": .real, "float": .real,
      "boolean": .boolean, "json": .json, "timespan": .text,
      "datetime": .time(StoredTime(unit: unit)),
      "blob": ColumnForm(.binary, .base64),
      // Affinity makes numbers of texts that look like some; those are rejected, not guessed.
      "guid": ColumnForm(.uuid, .text), "uri": ColumnForm(.uri, .text),
    ]
  }
}
