/// How many more properties a model may have while it is being read.
///
/// Parts of an archive are shared by reference, so a small one can unfold into very much.
struct PropertyBudget {
  private let compositeDepth: Int
  private var left: Int

  /// Starts with what the limits allow.
  init(_ limits: ModelLimits) {
    compositeDepth = limits.compositeDepth
    left = limits.properties
  }

  /// Takes properties off the budget.
  ///
  /// - Throws: `ModelError` when there are not so many left.
  mutating func spend(_ count: Int, at context: String) throws(ModelError) {
    guard count <= left else { throw ModelError(.tooManyProperties, context) }
    left -= count
  }

  /// Takes the elements of a composite off the budget, if it is not nested too deeply.
  ///
  /// - Throws: `ModelError` when either bound is passed.
  mutating func enter(
    depth: Int, spending count: Int, at context: String
  ) throws(ModelError) {
    guard depth < compositeDepth else { throw ModelError(.compositeTooDeep, context) }
    try spend(count, at: context)
  }
}
