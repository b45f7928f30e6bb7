package import Records

extension LogicalType {
  /// The type in which all values of both types keep what they say: text where no other does.
  ///
  /// Whole numbers that a double cannot hold are the only values that a united type may not take;
  /// they become rejects.
  func united(with other: LogicalType) -> LogicalType {
    if self == other { return self }
    let types: Set<LogicalType> = [self, other]
    if types.isSubset(of: [.boolean, .integer]) { return .integer }
    if types.isSubset(of: [.boolean, .integer, .real]) { return .real }
    if types.isSubset(of: [.boolean, .integer, .decimal]) { return .decimal }
    return .text
  }
}
