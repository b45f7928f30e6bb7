extension [UInt8] {
  /// Appends a text in UTF-16 as UTF-8; half a pair of surrogates becomes bytes that no UTF-8 has, so
  /// that whoever checks the text finds it.
  package mutating func append(utf16 units: Span<UInt16>) {
    // A unit takes three bytes at most, and two that are a pair take four.
    append(addingCapacity: 3 &* units.count) { output in
      var place = 0
      while place < units.count {
        let unit = units[place]
        place &+= 1
        if unit < 0x80 {
          output.append(UInt8(truncatingIfNeeded: unit))
        } else if UTF16.isLeadSurrogate(unit), place < units.count,
          UTF16.isTrailSurrogate(units[place])
        {
          output.append(pair: unit, units[place])
          place &+= 1
        } else {
          output.append(single: unit)
        }
      }
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a unit above ASCII by itself, even where it is half a pair.
  fileprivate mutating func append(single unit: UInt16) {
    if unit < 0x800 {
      append(0xC0 | UInt8(truncatingIfNeeded: unit >> 6))
    } else {
      append(0xE0 | UInt8(truncatingIfNeeded: unit >> 12))
      append(trail: UInt32(unit) >> 6)
    }
    append(trail: UInt32(unit))
  }

  fileprivate mutating func append(pair lead: UInt16, _ trail: UInt16) {
    let scalar = 0x10000 &+ (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
    append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
    append(trail: scalar >> 12)
    append(trail: scalar >> 6)
    append(trail: scalar)
  }

  private mutating func append(trail bits: UInt32) {
    append(0x80 | UInt8(truncatingIfNeeded: bits & 0x3F))
  }
}
