/// A store among others that cannot be read, as reports tell of it.
package struct UnreadableStore: Sendable {
  /// The path under which it was named, and the device that it is of.
  package let name: String
  package let device: String?
  /// The stable word for what is wrong, what happened, and what to try.
  let code: String
  package let message: String
  package let hint: String?

  /// A store with what is wrong with it.
  package init(name: String, device: String?, code: String, message: String, hint: String?) {
    self.name = name
    self.device = device
    self.code = code
    self.message = message
    self.hint = hint
  }
}
