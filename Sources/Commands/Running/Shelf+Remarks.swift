import Bytes
import CommandLineKit
import Places

extension Shelf {
  /// What else a person should know of the places.
  var remarks: [String] {
    let notes = places.flatMap(\.tally.notes).map { note in
      "\(escapedAsOneWord(note.place)): \(escapedForTerminal(note.text))"
    }
    return notes + [wordsForBare, wordsForMisnamed, wordsOfPattern].compactMap(\.self)
  }

  /// That some of the places have no store in them, which a person has named for some reason.
  private var wordsForBare: String? {
    guard !stores.isEmpty, let first = placesWithoutStores.first else { return nil }
    var counts: [CountedKind: Int] = [:]
    for place in placesWithoutStores {
      counts.merge(places[place].tally.counts, uniquingKeysWith: +)
    }
    let name = escapedAsOneWord(places[first].path)
    let words =
      placesWithoutStores.count == 1
      ? "no store is in \(name)"
      : "no store is in \(placesWithoutStores.count.grouped) of the places, the first of them \(name)"
    return counts.isEmpty ? words : "\(words); what is there: \(counts.words)"
  }

  /// That files were not taken which somebody may have expected, since they are called as databases.
  private var wordsForMisnamed: String? {
    guard let first = places.lazy.compactMap(\.tally.firstMisnamed).first else { return nil }
    var misnamed: [CountedKind: Int] = [:]
    for place in places { misnamed.merge(place.tally.misnamed, uniquingKeysWith: +) }
    let isOnly = misnamed.values.reduce(0, +) == 1
    return
      "not \(isOnly ? "a store, though called as a database" : "stores, though called as databases")"
      + ": \(misnamed.words), \(isOnly ? "" : "the first of them ")\(escapedAsOneWord(first))"
  }

  /// That a pattern does not tell the devices of all stores, which then are called by their paths.
  private var wordsOfPattern: String? {
    guard let fit = patternFit, fit.stores < fit.all else { return nil }
    let stores = fit.all.counted("store", "stores")
    let names = [
      fit.named > 0 ? "as what they lie in names them" : nil,
      fit.named < fit.all - fit.stores ? "by what their paths differ in, where they do" : nil,
    ]
    return "note: --device fits \(fit.stores.grouped) of \(stores); "
      + (fit.stores == 0 ? "devices are" : "the devices of the others are")
      + " called " + names.compactMap(\.self).joined(separator: ", or ")
  }
}

extension Session {
  /// Says what else a person should know of the places on a shelf, where no round does.
  func sayRemarks(of shelf: Shelf) {
    shelf.remarks.forEach(say)
  }
}
