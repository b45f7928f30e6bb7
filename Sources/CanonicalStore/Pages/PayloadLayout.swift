/// How much of a record stays in its leaf; the rest goes to overflow pages.
struct PayloadLayout {
  /// The bytes that stay.
  let local: Int
  /// The bytes of the leaf that the record takes, with the number of the first overflow page.
  let cellPart: Int

  init(size: Int, usableSize: Int) {
    let most = usableSize - 35
    guard size > most else {
      local = size
      cellPart = size
      return
    }
    let least = (usableSize - 12) * 32 / 255 - 23
    let even = least + (size - least) % (usableSize - 4)
    local = even <= most ? even : least
    cellPart = local + 4
  }

  /// The largest record of an index that stays in its page as a whole.
  static func mostInIndex(_ usableSize: Int) -> Int { (usableSize - 12) * 64 / 255 - 23 }
}
