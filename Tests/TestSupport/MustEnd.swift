package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A test that a fault would let run for ever: it is named before the whole run is given up.
  ///
  /// What a test waits for a processor beside all others counts, too, so a shorter limit would fail
  /// on a slow machine; how much a test computes is told by `ThreadClock`.
  package static var mustEnd: Self { .timeLimit(.minutes(30)) }
}
