/// How the SDK for Android spells its tables and columns: all in lower case.
enum AndroidNames {
  static let operations = "__operations"
  static let errors = "__errors"
  static let backups = "__itembackups"
  static let tokens = "__incrementalpulldata"

  /// The tables of the SDK; the platform's `android_metadata` is left out with them.
  static let systemTables: Set<String> = [operations, errors, backups, tokens]

  /// The prefix of system columns in Mobile Services.
  static let oldPrefix = "__"
}
