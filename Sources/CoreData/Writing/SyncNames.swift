/// How the Azure SDK for iOS spells what it keeps in a Core Data store.
enum SyncNames {
  static let operations = "MS_TableOperations"
  static let errors = "MS_TableOperationErrors"
  static let configuration = "MS_TableConfig"

  /// The properties of an item that are the server's own.
  static let systemProperties = ["version", "createdAt", "updatedAt", "deleted"]

  /// The domain of the SDK's own errors, by whether it is of a time before 3.0.
  static func errorDomain(hasOldSpelling: Bool) -> String {
    hasOldSpelling
      ? "com.Microsoft.WindowsAzureMobileServices.ErrorDomain"
      : "com.Microsoft.MicrosoftAzureMobile.ErrorDomain"
  }
}
