/// What rows of JSON show whose members were told apart.
extension PlainSurvey {
  /// Looks at a row of JSON that was read: `order` tells which cells follow each other.
  ///
  /// - Returns: false where there is no room for its columns.
  mutating func addRow(
    _ cells: [JSONCell], named names: [[UInt8]], _ order: [Int], _ text: [UInt8]
  ) -> Bool {
    beginRow()
    var hasKeyMember = false
    var following = 0
    for number in order {
      guard let place = place(of: names[number], following) else { return false }
      following = place + 1
      _ = meet(place)
      let cell = cells[number]
      guard let range = cell.range else {
        addNull(at: place)
        continue
      }
      let value = text.span.extracting(range)
      if place == 0, cell.isNumber {
        hasKeyMember = true
        addKey(value)
      }
      add(value, at: place, isText: cell.isString, isContainer: cell.isContainer)
    }
    if !hasKeyMember { addNoKey() }
    return true
  }
}
