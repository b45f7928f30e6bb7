package import Bytes

/// What a person says about tables, for those who ask about many of them.
package struct CorrectionsByTable {
  /// Texts that begin with the name of a table each.
  private struct Texts {
    private let all: [String]
    /// Which of them may be about a table; its name may hold the signs that end it.
    private var numbers: [ExactText: [Int]] = [:]

    init(_ all: [String]) {
      self.all = all
      for (number, text) in all.enumerated() {
        for cut in text.cuts(at: ".", "=") { numbers[cut.head, default: []].append(number) }
      }
    }

    func about(_ tables: Set<ExactText>) -> [String] {
      Set(tables.flatMap { numbers[$0] ?? [] }).sorted().map { all[$0] }
    }
  }

  private let types: Texts
  private let names: Texts
  private let drops: Texts
  private let mentions: Texts

  /// Knows which table each correction is about.
  package init(_ all: Corrections) {
    types = Texts(all.types)
    names = Texts(all.names)
    drops = Texts(all.drops)
    mentions = Texts(all.mentions)
  }

  /// Those that name one of these tables, in the order in which they came.
  package func about(_ tables: Set<ExactText>) -> Corrections {
    Corrections(
      types: types.about(tables), names: names.about(tables), drops: drops.about(tables),
      mentions: mentions.about(tables))
  }
}
