import Bytes

/// What a node of a graph looks like as JSON.
enum JSONShape<Node> {
  /// A value without parts.
  case scalar(JSONValue)
  /// Values in order.
  case array([Node])
  /// Keys and values in order.
  case object([(key: String, value: Node)])
}

/// Writes a graph with shared nodes out as a tree, without recursion and within limits.
///
/// Few bytes can describe a graph whose tree is endless or enormous; both are errors.
struct JSONExpansion<Node> {
  private enum Task {
    case visit(Node)
    case key(String)
    case leave(Int)
  }

  private let limits: FormatLimits
  private var builder: JSONBuilder
  private var bytesLeft: Int
  private var tasksLeft: Int
  private var open: Set<Int> = []
  private var tasks: [Task] = []

  /// Prepares for one graph.
  init(limits: FormatLimits) {
    self.limits = limits
    builder = JSONBuilder(limits: limits)
    bytesLeft = limits.maxBytes
    tasksLeft = limits.maxObjects
  }

  /// Expands a graph from its root; nil where `shape` has none for some node.
  ///
  /// `identity` tells a node and its place in the input.
  mutating func expand(
    _ root: Node,
    identity: (Node) -> (number: Int, offset: Int),
    shape: (Node) throws(FormatError) -> JSONShape<Node>?
  ) throws(FormatError) -> JSONValue? {
    tasks = [.visit(root)]
    while let task = tasks.popLast() {
      switch task {
      case .key(let key):
        builder.setKey(key)
      case .leave(let number):
        open.remove(number)
        try builder.close()
      case .visit(let node):
        let (number, offset) = identity(node)
        guard let shape = try shape(node) else { return nil }
        try visit(shape, number, offset)
      }
    }
    return builder.root
  }

  private mutating func visit(
    _ shape: JSONShape<Node>, _ number: Int, _ offset: Int
  ) throws(FormatError) {
    switch shape {
    case .scalar(let value):
      if case .string(let text) = value { try charge(text.utf8.count, at: offset) }
      try builder.add(value, at: offset)
    case .array(let elements):
      try enter(object: false, number, offset, count: elements.count)
      for element in elements.reversed() { tasks.append(.visit(element)) }
    case .object(let members):
      try enter(object: true, number, offset, count: members.count)
      for (key, value) in members.reversed() {
        try charge(key.utf8.count, at: offset)
        tasks.append(.visit(value))
        tasks.append(.key(key))
      }
    }
  }

  private mutating func enter(
    object isObject: Bool, _ number: Int, _ offset: Int, count: Int
  ) throws(FormatError) {
    guard open.insert(number).inserted else {
      throw FormatError(.invalid, at: offset, "a value contains itself")
    }
    guard count <= tasksLeft else { throw FormatError(.limit, at: offset, "too many values") }
    tasksLeft -= count
    try builder.open(object: isObject, at: offset)
    tasks.append(.leave(number))
  }

  private mutating func charge(_ count: Int, at offset: Int) throws(FormatError) {
    guard count <= bytesLeft else {
      throw FormatError(.limit, at: offset, "values are too long", passing: .valueBytes)
    }
    bytesLeft -= count
  }
}
