extension BinaryInteger {
  /// The number with the words that depend on it, as in `1 row is` or `2 rows are`.
  package func counting(_ one: String, _ several: String) -> String {
    "\(self) \(self == 1 ? one : several)"
  }
}
