import Bytes

/// A file that was read, with the proof of what it was.
package struct SourceFile: Sendable, Equatable {
  /// The name without its folder.
  package var name: String
  /// The size in bytes.
  package var bytes: Int
  /// SHA-256 in hexadecimal digits.
  package var sha256: String

  /// A file with its size and hash.
  package init(name: String, bytes: Int, sha256: String) {
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// What a source is and how that is known.
package struct SourceDescription: Sendable, Equatable {
  /// The store's file name.
  package var name: String
  /// Which layout.
  package var layout: Layout
  /// Which generation, where the layout has several.
  package var generation: String?
  /// The layout from which a canonical store was converted; nil where that is not one layout.
  package var origin: String?
  /// What the recognition rests on, a sentence each.
  package var evidence: [String]
  /// The files that were read.
  package var files: [SourceFile] = []
  /// What else is known about the store, in order: identifiers, framework version, metadata keys.
  package var metadata: [Fact] = []
  /// The stores from which this one was made, in the order of their numbers.
  package var earlier: [EarlierSource] = []

  /// The path as a person gave it, and what the store's device is called; nil where nobody said.
  package var givenPath: String?
  package var givenDevice: String?
  /// What its own file is called, where the one that is read has another name.
  package var fileName: String?

  /// How many numbers its stores take.
  package var storeCount: Int64 { earlier.map(\.number).max() ?? 1 }

  /// Whether the rows of several stores are here.
  package var isOfSeveral: Bool { earlier.count > 1 }

  /// The facts with the last one of each key, as a JSON object has them.
  package var distinctMetadata: [Fact] {
    var places: [ExactText: Int] = [:]
    var facts: [Fact] = []
    for fact in metadata {
      if let place = places[ExactText(fact.key)] {
        facts[place] = fact
      } else {
        places[ExactText(fact.key)] = facts.count
        facts.append(fact)
      }
    }
    return facts
  }

  /// What a person calls the store: its path, or the name of what came through a pipe.
  package var shownName: String { givenPath.flatMap { $0 == "-" ? nil : $0 } ?? name }

  /// The path under which it was given, where it is one of several.
  package var path: String? { metadata.last { $0.key == Fact.pathKey }?.value }

  /// The device that it is of, where it is one of several and that is known.
  package var device: String? { metadata.last { $0.key == Fact.deviceKey }?.value }

  /// What a person must know of all operations that wait, where the layout has such a thing.
  package var wordsOfAllThatWaits: String? {
    let facts = metadata + earlier.flatMap(\.source.metadata)
    return facts.last { $0.key == Fact.waitingKey }?.value
  }

  /// The facts that tell what a person calls the store.
  package func names(orElse path: String) -> [Fact] {
    [Fact(path: givenPath ?? path)] + (givenDevice.map { [Fact(device: $0)] } ?? [])
  }

  /// Makes what a person calls the store a part of what is known about it.
  package mutating func keepNames(orElse path: String) {
    metadata += names(orElse: path).filter { !metadata.contains($0) }
  }

  /// A named fact about a store.
  package struct Fact: Sendable, Equatable {
    /// What it is about.
    package var key: String
    /// The fact itself.
    package var value: String

    /// A fact.
    package init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }

    /// The full name of the type whose items an app kept in a table.
    package init(typeOf table: String, _ type: String) {
      self.init(Self.typeMark + table, type)
    }

    init(path: String) {
      self.init(Self.pathKey, path)
    }

    init(device: String) {
      self.init(Self.deviceKey, device)
    }

    /// What a person must know of all operations that wait.
    package init(ofAllThatWaits words: String) {
      self.init(Self.waitingKey, words)
    }

    /// The key of the fact that tells what all operations have in common.
    static let waitingKey = "whatWaits"
    /// The keys of the facts that tell the path and the device of one of several sources.
    package static let pathKey = "path"
    package static let deviceKey = "device"

    /// The table that the fact gives a type for; nil when it is about something else.
    package var typedTable: String? {
      key.hasPrefix(Self.typeMark) ? String(key.dropFirst(Self.typeMark.count)) : nil
    }

    /// Whether it is about the type of a table's items.
    package var isType: Bool { typedTable != nil }

    private static let typeMark = "entityType "
  }

  /// A description without files and facts yet.
  package init(name: String, layout: Layout, generation: String? = nil, evidence: [String] = []) {
    self.name = name
    self.layout = layout
    self.generation = generation
    self.evidence = evidence
  }
}

/// A store from which another one was made, as that one remembers it.
package struct EarlierSource: Sendable, Equatable {
  /// The number by which rows and operations name it, from 1.
  package var number: Int64
  /// What it was, with the files that were read.
  package var source: SourceDescription
  /// Where the names of its tables and columns came from.
  package var nameOrigin: NameOrigin
  /// When it was read, in canonical spelling; nil where that is not known.
  package var readAt: String?
  /// The version of the tool that read it.
  package var toolVersion: String?

  /// A store under its number.
  package init(number: Int64, _ source: SourceDescription, nameOrigin: NameOrigin) {
    self.number = number
    self.source = source
    self.nameOrigin = nameOrigin
  }
}
