import Bytes

/// Inputs in groups, of which no two have a table together; there may be thousands.
struct TableGroups {
  /// One of them, by its place among all.
  private struct Input {
    /// An input of its group that comes before it, or itself where it is the first.
    var earlier: Int
    /// The next one in its group.
    var next: Int?
    /// The last one of its group, where it is the first.
    var last: Int
  }

  private var inputs: [Input] = []
  /// An input that has each table.
  private var owners: [ExactText: Int] = [:]

  /// Adds the tables of the next input, which holds together all groups that have one of them.
  mutating func add(_ tables: Set<ExactText>) {
    let place = inputs.count
    inputs.append(Input(earlier: place, next: nil, last: place))
    var firsts: Set = [place]
    for table in tables {
      if let owner = owners[table] { firsts.insert(first(ofGroupWith: owner)) }
      owners[table] = place
    }
    let ordered = firsts.sorted()
    for other in ordered.dropFirst() { append(other, to: ordered[0]) }
  }

  /// The places of the inputs of each group; the groups are in the order of their first inputs.
  var all: [[Int]] {
    inputs.indices.filter { inputs[$0].earlier == $0 }.map { first in
      Array(sequence(first: first) { inputs[$0].next })
    }
  }

  /// The way there gets shorter for whoever asks next.
  private mutating func first(ofGroupWith place: Int) -> Int {
    var place = place
    while inputs[place].earlier != place {
      inputs[place].earlier = inputs[inputs[place].earlier].earlier
      place = inputs[place].earlier
    }
    return place
  }

  private mutating func append(_ other: Int, to first: Int) {
    inputs[inputs[first].last].next = other
    inputs[first].last = inputs[other].last
    inputs[other].earlier = first
  }
}
