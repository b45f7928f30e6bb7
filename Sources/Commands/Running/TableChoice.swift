import Bytes
import Records

/// Which tables go, among those of a source, or of all that become one.
struct TableChoice: Sendable {
  /// The names of all of them, in their order.
  let all: [String]
  /// The names of those that go.
  let names: Set<ExactText>

  /// Chooses the tables at some places.
  init(_ places: some Sequence<Int>, in catalogue: Catalogue) {
    all = catalogue.tables.map(\.name)
    names = Set(places.map { ExactText(catalogue.tables[$0].name) })
  }

  var areAll: Bool { names.count == all.count }
}
