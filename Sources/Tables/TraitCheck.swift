/// One trait of a store, compared with how a generation of its layout has it.
package struct TraitCheck: Sendable {
  /// Whether the store is as the generation has it.
  package let holds: Bool
  let sight: String

  /// Compares what is there with what is expected; the sentences tell either case.
  package init(_ isPresent: Bool, expected: Bool, _ present: String, _ absent: String) {
    holds = isPresent == expected
    sight = isPresent ? present : absent
  }
}

extension [TraitCheck] {
  /// What speaks for the generation, then what differs from it, a sentence each.
  package func evidence(for generation: String) -> [String] {
    filter(\.holds).map(\.sight)
      + filter { !$0.holds }.map { "unlike \(generation): \($0.sight)" }
  }
}
