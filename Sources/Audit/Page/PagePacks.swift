import Bytes
import Formats
import Records

/// Parts of a page that are shown on request: packed, so that very many make a small page.
///
/// Neighbours are packed together, once whole and once in short. At the end as many packs are
/// whole as the page has room for, those that matter most first.
struct PagePacks {
  /// A part in its two forms, of which the whole one may be missing.
  struct Forms: Sendable {
    let whole: [UInt8]?
    let short: [UInt8]
  }

  private struct Pack {
    let first: Int
    let count: Int
    let weight: Int
    /// Nil where its parts were never made whole.
    let whole: ByteSpool.Place?
    let wholeSize: Int
    let short: ByteSpool.Place
    let shortSize: Int
  }

  /// What there was room for, in parts.
  struct Room: Equatable {
    var whole = 0
    var short = 0
    var none = 0
  }

  private var spool = ByteSpool()
  private var packs: [Pack] = []
  /// What the next pack will hold.
  private var whole: [UInt8] = []
  private var short: [UInt8] = []
  private var hasWhole = false
  private var waiting = 0
  private var weight = 0
  private(set) var count = 0
  /// What all packs would take, if they are whole, where they can be, and if they are short.
  private var sizes = (whole: 0, short: 0)
  /// Whether there was still room when it was last asked for.
  private var hasRoom = (forWhole: true, forShort: true)
  private var leftOut = 0

  /// How much text is packed together: to a browser, many small packs cost more than their size.
  private static let packSize = 256 << 10
  /// What a pack takes on a page besides itself.
  private static let frame = 80
  /// Less than such a part of the room is not worth that packs are made to fit into it.
  private static let leastPart = 64
  /// What stands between two parts; escaped text never has it.
  private static let separator: UInt8 = 0x1E

  /// Adds parts none of which matters more than others that it is whole.
  ///
  /// - Throws: `StoreError` when one cannot be kept.
  mutating func add(_ parts: [Forms]) throws(StoreError) {
    for part in parts { try add(whole: part.whole, short: part.short, weight: 0) }
  }

  /// Whether a page with room for so many bytes would show the next pack whole, if it matters as much
  /// as those before, which come first, and is about as long.
  mutating func mayBeWhole(within room: Int) -> Bool {
    let choice = choose(within: room)
    let whole = choice.isWhole.count { $0 == true }
    // What is too long leaves its room to others, but not for ever.
    hasRoom.forWhole =
      hasRoom.forWhole && sizes.whole <= 2 * room
      && choice.left >= room / Self.leastPart
      && choice.left * whole >= choice.leftByShort - choice.left
    return hasRoom.forWhole
  }

  /// Whether it would show the next pack at all.
  mutating func mayBeShown(within room: Int) -> Bool {
    let choice = choose(within: room)
    let shown = choice.isWhole.count { $0 != nil }
    hasRoom.forShort =
      hasRoom.forShort && sizes.short <= 2 * room
      && choice.leftByShort >= room / Self.leastPart
      && choice.leftByShort * shown >= room - choice.leftByShort
    return hasRoom.forShort
  }

  /// Counts parts that are not made, since there would be no room for them.
  ///
  /// - Throws: `StoreError` when those before cannot be kept.
  mutating func leaveOut(_ parts: Int) throws(StoreError) {
    guard parts > 0 else { return }
    try pack()
    count += parts
    leftOut += parts
  }

  /// Adds a part in its forms; `weight` says how much it matters that it is whole.
  ///
  /// - Throws: `StoreError` when it cannot be kept.
  mutating func add(whole part: [UInt8]?, short: [UInt8], weight: Int) throws(StoreError) {
    // A pack is whole or short, and so are all of its parts.
    if (part != nil) != hasWhole { try pack() }
    hasWhole = part != nil
    if waiting > 0 {
      whole.append(Self.separator)
      self.short.append(Self.separator)
    }
    if let part { whole.append(part.span) }
    self.short.append(short.span)
    self.weight = max(self.weight, weight)
    waiting += 1
    count += 1
    if max(whole.count, self.short.count) > Self.packSize { try pack() }
  }

  private mutating func pack() throws(StoreError) {
    guard waiting > 0 else { return }
    let packedShort = try Self.packed(short)
    let packed = hasWhole ? try Self.packed(whole) : nil
    do {
      packs.append(
        Pack(
          first: count - waiting, count: waiting, weight: weight,
          whole: try packed.map { (text) throws(FileError) in try spool.append(text.span) },
          wholeSize: (packed ?? packedShort).count, short: try spool.append(packedShort.span),
          shortSize: packedShort.count))
    } catch {
      throw StoreError(error, context: "the page cannot be set aside")
    }
    sizes.whole += (packed ?? packedShort).count + Self.frame
    sizes.short += packedShort.count + Self.frame
    whole.removeAll(keepingCapacity: true)
    short.removeAll(keepingCapacity: true)
    (waiting, weight) = (0, 0)
  }

  /// Bytes as base64 of a gzip member, which browsers can unpack.
  static func packed(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    var packed: [UInt8] = []
    do {
      var writer = try GzipWriter(level: 7)
      writer.pack(bytes.span, into: &packed)
      writer.finish(into: &packed)
    } catch {
      throw StoreError(.internalError, "the page cannot be packed: \(error)")
    }
    var text: [UInt8] = []
    text.appendBase64(packed.span)
    return text
  }

  /// Lends the packs as data blocks of a page, which may take so many bytes.
  ///
  /// - Throws: `StoreError` when they cannot be read back, or whatever `write` throws.
  mutating func write(
    within room: Int, to write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) -> Room {
    try pack()
    let isWhole = choose(within: room).isWhole
    var found = Room()
    found.none = leftOut
    for (place, pack) in packs.enumerated() {
      guard let isWhole = isWhole[place] else {
        found.none += pack.count
        continue
      }
      if isWhole { found.whole += pack.count } else { found.short += pack.count }
      let spool = spool
      let text = try storeErrors("the page cannot be read back") { () throws(FileError) in
        try spool.read(isWhole ? pack.whole ?? pack.short : pack.short)
      }
      var html = HTMLText()
      html.markup("<script type=\"text/plain\" data-first=")
      html.number(pack.first)
      html.markup(" data-count=")
      html.number(pack.count)
      html.markup(">")
      html.text(text.span)
      html.markup("</script>\n")
      try write(html.take())
    }
    return found
  }

  /// Which packs a page shows, and the room that they leave.
  private struct Choice {
    /// Whether each pack is whole; nil where there is no room even for its short form.
    var isWhole: [Bool?]
    /// What is left beside the short forms, and beside all that is shown.
    var leftByShort: Int
    var left: Int
  }

  private func choose(within room: Int) -> Choice {
    var chosen = [Bool?](repeating: nil, count: packs.count)
    var left = room
    let order = packs.indices.sorted { first, second in
      (packs[second].weight, first) < (packs[first].weight, second)
    }
    for place in order where packs[place].shortSize + Self.frame <= left {
      chosen[place] = false
      left -= packs[place].shortSize + Self.frame
    }
    let leftByShort = left
    for place in order where chosen[place] != nil && packs[place].whole != nil {
      let more = packs[place].wholeSize - packs[place].shortSize
      guard more <= left else { continue }
      chosen[place] = true
      left -= more
    }
    return Choice(isWhole: chosen, leftByShort: leftByShort, left: left)
  }
}
