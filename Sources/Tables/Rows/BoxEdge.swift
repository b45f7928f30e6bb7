/// The four bytes of an edge of the box that a node of an R-tree lists for a row; nil where it does
/// not list it.
///
/// Behind the depth of the tree and the number of boxes, of two bytes each, follow the boxes: eight
/// bytes of row id, then four of each edge, most significant first.
func boxEdge(_ edge: Int, of count: Int, inNode node: Span<UInt8>, key: Int64) -> UInt32? {
  guard node.count >= 4 else { return nil }
  let size = 8 + 4 * count
  let boxes = min(Int(number(node, at: 2, bytes: 2)), (node.count - 4) / size)
  for box in 0..<boxes {
    let start = 4 + box * size
    guard number(node, at: start, bytes: 8) == UInt64(bitPattern: key) else { continue }
    return UInt32(truncatingIfNeeded: number(node, at: start + 8 + 4 * edge, bytes: 4))
  }
  return nil
}

private func number(_ bytes: Span<UInt8>, at start: Int, bytes count: Int) -> UInt64 {
  var number: UInt64 = 0
  for place in start..<start + count { number = number << 8 | UInt64(bytes[place]) }
  return number
}
