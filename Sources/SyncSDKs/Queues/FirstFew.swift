/// The first of many in an order, of which only so many are kept.
struct FirstFew<Element> {
  private let most: Int
  private let isBefore: (Element, Element) -> Bool
  private var elements: [Element] = []

  init(_ most: Int, by isBefore: @escaping (Element, Element) -> Bool) {
    self.most = most
    self.isBefore = isBefore
  }

  mutating func append(_ element: Element) {
    elements.append(element)
    // Each of those that are sorted then is one of as many that are left out.
    if elements.count > 2 * most { elements = Array(inOrder) }
  }

  /// The first ones in their order.
  var inOrder: ArraySlice<Element> { elements.sorted(by: isBefore).prefix(most) }
}
