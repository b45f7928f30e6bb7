/// Something in a container that is added to a shelf when its turn has come.
struct ContainedPart {
  /// Where it is in the container, which decides when it has its turn: whatever a tree is packed in, its
  /// stores come in one order.
  let path: String
  /// Whether it is no store, but may hold some.
  let isContainer: Bool
  let add: () throws(PlaceFailure) -> Void

  init(
    _ path: String, isContainer: Bool = false, _ add: @escaping () throws(PlaceFailure) -> Void
  ) {
    self.path = path
    self.isContainer = isContainer
    self.add = add
  }
}

extension [ContainedPart] {
  /// The parts in the order of their paths.
  func inOrder() -> [ContainedPart] {
    sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}
