package import Records

/// What is sent, in which order, and what is not and why; a decision not yet carried out.
package struct ReplayPlan: Sendable {
  /// Operations that are not sent, in push order.
  package private(set) var held: [HeldBack] = []

  /// Decides about a queue, given what earlier runs did.
  package init(_ operations: [PendingOperation], history: ReplayHistory = ReplayHistory()) {
  }

  /// How many steps there are.
  package var count: Int { 0 }

  /// One step, put together when it is asked for; nil outside the plan.
  package subscript(id: Int) -> ReplayStep? { nil }
}
