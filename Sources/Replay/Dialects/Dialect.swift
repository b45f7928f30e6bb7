/// What a table service speaks.
package enum Dialect: String, Sendable, CaseIterable {
  /// Azure Mobile Services.
  case v1
  /// Azure Mobile Apps.
  case v2
  /// Microsoft Datasync.
  case v3
  /// Datasync of the Community Toolkit.
  case toolkit
}
