import Bytes

/// Puts a JSON value together from inside to outside without recursion, within limits.
struct JSONBuilder {
  /// A container that is not complete yet.
  private struct Frame {
    let isObject: Bool
    let offset: Int
    var key = ""
    var elements: [JSONValue] = []
    var members: [JSONObject.Member] = []
  }

  private let maxDepth: Int
  private var objectsLeft: Int
  private var frames: [Frame] = []
  /// The finished value, once there is one.
  private(set) var root: JSONValue?

  /// Prepares to build a value within limits of depth and number.
  init(limits: FormatLimits) {
    maxDepth = limits.maxDepth
    objectsLeft = limits.maxObjects
  }

  /// Starts an array or object; `offset` is its place, for messages.
  mutating func open(object isObject: Bool, at offset: Int) throws(FormatError) {
    guard frames.count < maxDepth else {
      throw FormatError(.limit, at: offset, "values are nested too deeply", passing: .depth)
    }
    try count(at: offset)
    frames.append(Frame(isObject: isObject, offset: offset))
  }

  /// Names the member that comes next in the open object.
  mutating func setKey(_ key: String) {
    guard !frames.isEmpty else { return }
    frames[frames.count - 1].key = key
  }

  /// Adds a value that is not a container.
  mutating func add(_ value: JSONValue, at offset: Int) throws(FormatError) {
    try count(at: offset)
    place(value)
  }

  /// Ends the innermost container.
  mutating func close() throws(FormatError) {
    guard let frame = frames.popLast() else { return }
    guard frame.isObject else { return place(.array(frame.elements)) }
    guard let object = JSONObject(frame.members) else {
      throw FormatError(.invalid, at: frame.offset, "object has a key twice")
    }
    place(.object(object))
  }

  private mutating func place(_ value: JSONValue) {
    let last = frames.count - 1
    if last < 0 {
      root = value
    } else if frames[last].isObject {
      frames[last].members.append(.init(key: frames[last].key, value: value))
    } else {
      frames[last].elements.append(value)
    }
  }

  private mutating func count(at offset: Int) throws(FormatError) {
    guard objectsLeft > 0 else { throw FormatError(.limit, at: offset, "too many values") }
    objectsLeft -= 1
  }
}

/// One object of several, in which later members take the place of earlier ones; nil where one of
/// them is no object.
package func joinedObjects(_ objects: some Sequence<[UInt8]>) -> [UInt8]? {
  var joined = JSONObject()
  for bytes in objects {
    // What is no object is the caller's nil.
    guard let object = JSONObject(parsing: bytes.span) else { return nil }
    for member in object.members { joined[member.key] = member.value }
  }
  return joined.json
}
