extension String {
  /// What follows a prefix; nil when the text does not begin with it.
  package func removing(prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
