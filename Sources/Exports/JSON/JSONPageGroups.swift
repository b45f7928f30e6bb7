/// The arrays of pages that are open, around all of which stands the file.
///
/// Pages may lie in arrays that lie among other pages. Where none of the objects there is a page, they
/// are rows or anything else.
struct JSONPageGroups {
  private struct Group {
    var hasPages = false
    /// How many objects in it are no pages.
    var others = 0
    /// How many there are in arrays that lie in it and have no pages.
    var othersInside = 0
  }

  private var groups = [Group()]

  mutating func open() { groups.append(Group()) }

  /// Ends an array; returns how many values in it turn out to stand where pages should.
  mutating func close(isAmongPages: Bool) -> Int {
    let group = groups.removeLast()
    guard isAmongPages, !group.hasPages else { return 0 }
    groups[groups.count - 1].othersInside += group.others + group.othersInside
    return takeOthers()
  }

  /// Takes an object among pages, which is one where it has a member on the way to rows; returns how
  /// many values before it turn out to stand where pages should.
  mutating func add(isPage: Bool, isEmpty: Bool) -> Int {
    if isPage {
      groups[groups.count - 1].hasPages = true
    } else if !isEmpty {
      groups[groups.count - 1].others += 1
    }
    return takeOthers()
  }

  private mutating func takeOthers() -> Int {
    guard groups[groups.count - 1].hasPages else { return 0 }
    let others = groups[groups.count - 1].othersInside
    groups[groups.count - 1].othersInside = 0
    return others
  }
}
