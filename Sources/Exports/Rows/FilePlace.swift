import Synchronization

/// Where a file of several tables was left behind the last row of one, for whoever reads the next.
///
/// Tables most often lie one behind the other and are read so; from the beginning for each, the time
/// would grow with the number of tables times the size of the file. It has identity, because all
/// copies of what is known of the file share it.
final class FilePlace<Tokens, Walk> {
  /// A walk through a file that has passed so many rows.
  struct Place {
    let tokens: Tokens
    let walk: Walk
    let rows: Int
  }

  private var place: Place?

  /// The place, unless more rows than so many lie before it; it is then forgotten.
  func take(before row: Int) -> Place? {
    guard let place else { return nil }
    forget()
    return place.rows <= row ? place : nil
  }

  /// Keeps a place, with its open file, where not too many are kept.
  func leave(_ place: Place) {
    forget()
    guard keptPlaces.add(1, ordering: .relaxed).newValue <= mostKeptPlaces else {
      keptPlaces.subtract(1, ordering: .relaxed)
      return
    }
    self.place = place
  }

  private func forget() {
    guard place != nil else { return }
    place = nil
    keptPlaces.subtract(1, ordering: .relaxed)
  }

  deinit { forget() }
}

/// How many files are open for a place in them; of thousands of inputs not each may be.
private let keptPlaces = Atomic<Int>(0)
private let mostKeptPlaces = 16
