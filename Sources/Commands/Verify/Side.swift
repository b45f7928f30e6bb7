/// One of two stores that are compared.
enum Side: String, CaseIterable {
  case first
  case second

  /// The other one.
  var other: Side { self == .first ? .second : .first }
}

/// What both stores have of something.
struct Sides<Value> {
  var first: Value
  var second: Value

  init(_ first: Value, _ second: Value) {
    self.first = first
    self.second = second
  }

  subscript(side: Side) -> Value {
    get { side == .first ? first : second }
    set { if side == .first { first = newValue } else { second = newValue } }
  }
}
