/// How much of a payload stays on its page, as section 1.6 of the file format computes it.
struct PayloadSizes {
  /// How many bytes of a page are for its contents.
  let usableSize: Int
  /// The most that stays on the page.
  let largest: Int
  /// What stays at least when the rest goes to overflow pages.
  private let smallest: Int

  /// The sizes for the pages of tables or of indexes.
  init(usableSize: Int, isTable: Bool) {
    self.usableSize = usableSize
    largest = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    smallest = (usableSize - 12) * 32 / 255 - 23
  }

  /// How many bytes of a payload are on the page itself.
  @inline(__always)
  func local(of size: Int) -> Int {
    size <= largest ? size : localWithOverflow(of: size)
  }

  private func localWithOverflow(of size: Int) -> Int {
    let local = smallest + (size - smallest) % (usableSize - 4)
    return local <= largest ? local : smallest
  }

  /// How many overflow pages a payload needs.
  func overflowPages(of size: Int) -> Int {
    (size - local(of: size) + usableSize - 5) / (usableSize - 4)
  }
}
