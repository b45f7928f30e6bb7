extension Dictionary {
  /// A dictionary of pairs whose keys may repeat: what comes first stays.
  @inlinable
  package init(keepingFirst pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
