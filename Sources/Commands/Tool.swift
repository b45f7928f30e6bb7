/// Facts about this build of the tool.
package enum Tool {
  /// The version that is shown and written into stores.
  package static let version = "0.1.0"
  /// The day of this version, for the manual.
  package static let date = "2026-11-21"
}
