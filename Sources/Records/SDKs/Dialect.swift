/// What a service speaks.
package enum Dialect: String, Sendable, CaseIterable {
  /// Azure Mobile Services.
  case v1
  /// Azure Mobile Apps.
  case v2
  /// Microsoft Datasync.
  case v3
  /// Datasync of the Community Toolkit.
  case toolkit
  /// The REST interface of Parse.
  case parse
  /// None of them: rows under their own names, for the rehearsal of what other services took.
  case rows
}
