/// The keys of the members of many documents, each with a number.
struct MemberKeys: Sendable {
  private(set) var list: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// The numbers of the keys of the last document, since most have the same ones in one order.
  private var last: [Int] = []

  /// The number of a member's key, at its place in a document; a new key gets the next number.
  mutating func number(
    of member: DocumentMembers.Member, at place: Int, in document: DocumentMembers
  ) -> Int {
    if place == last.count { last.append(0) }
    let known = last[place]
    if known == list.count || !document.isKey(list[known], of: member) {
      last[place] = number(of: document.key(member))
    }
    return last[place]
  }

  /// The number of a key; a new one gets the next.
  mutating func number(of key: [UInt8]) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = list.count
    list.append(key)
    return list.count - 1
  }
}
