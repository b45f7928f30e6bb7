/// One object of several, in which later members take the place of earlier ones; nil where one of
/// them is no object.
package func joinedObjects(_ objects: [[UInt8]]) -> [UInt8]? {
  var joined = JSONObject()
  for bytes in objects {
    // What is no object is the caller's nil.
    guard case .object(let object)? = try? JSONValue(parsing: bytes.span) else { return nil }
    for member in object.members { joined[member.key] = member.value }
  }
  var output: [UInt8] = []
  JSONValue.object(joined).append(to: &output)
  return output
}
