import Bytes
package import Records

/// What was found in a store, most serious first, then as the catalogue lists it.
///
/// Each finding is put together when it is asked for, so that those of a long queue take little
/// memory.
package struct FindingList: RandomAccessCollection, Sendable {
  /// In the order of the list.
  private var groups: [FindingGroup] = []
  /// Where the findings of each group end.
  private var ends: [Int] = []
  private let operations: OperationList

  /// No findings, to which those about some operations may come.
  init(about operations: OperationList) { self.operations = operations }

  /// Where the first finding is.
  package var startIndex: Int { 0 }
  /// How many findings there are.
  package var endIndex: Int { ends.last ?? 0 }

  /// One finding.
  package subscript(position: Int) -> Finding {
    let (group, inside) = place(of: position)
    return groups[group].finding(at: inside, code: code(ofGroup: group, inside), operations)
  }

  private func place(of position: Int) -> (group: Int, inside: Int) {
    var number = 0
    while ends[number] <= position { number += 1 }
    return (number, position - start(ofGroup: number))
  }

  private func start(ofGroup number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

  private func code(ofGroup number: Int, _ inside: Int) -> String {
    groups[number].code(at: inside) ?? FindingCatalogue.all[groups[number].kind].code
  }

  /// A finding as it is kept, of which no text is copied that its operation has.
  enum KeptFinding {
    case about(operation: Int, code: String, Severity, message: String)
    case whole(Finding)
  }

  /// Some findings one after the other, as they are kept.
  struct KeptFindings {
    private let list: FindingList
    /// The group that was looked at last, and the places of its findings.
    private var group: FindingGroup
    private var places = 0..<0

    init(of list: FindingList) {
      self.list = list
      group = FindingGroup(kind: 0, severity: .note)
    }

    /// Lends an operation that one is about.
    func withOperation(_ place: Int, _ body: (borrowing PendingOperation) -> Void) {
      list.operations.with(place, body)
    }

    /// One finding; those of a group that follow each other cost little.
    mutating func finding(at position: Int) -> KeptFinding {
      if !places.contains(position) {
        let number = list.place(of: position).group
        group = list.groups[number]
        places = list.start(ofGroup: number)..<list.ends[number]
      }
      guard let (place, message) = group.entry(at: position - places.lowerBound) else {
        return .whole(list[position])
      }
      return .about(
        operation: place, code: FindingCatalogue.all[group.kind].code, group.severity,
        message: message)
    }
  }

  /// The `sequence` of the operation that a finding is about, if it is about one.
  package func sequence(at position: Int) -> Int64? {
    let (group, inside) = place(of: position)
    return groups[group].sequence(at: inside, operations)
  }

  /// The stable identifier of a finding.
  package func code(at position: Int) -> String {
    let (group, inside) = place(of: position)
    return code(ofGroup: group, inside)
  }

  /// The codes of the findings about an operation, each once, in a list that is sorted.
  func codes(ofOperation sequence: Int64) -> [String] {
    var codes: [String] = []
    for number in groups.indices {
      for position in groups[number].positions(of: sequence, operations) {
        let code = code(ofGroup: number, position)
        if !codes.contains(code) { codes.append(code) }
      }
    }
    return codes
  }

  /// How serious the worst finding about an operation is, in a list that is sorted.
  func worstSeverity(ofOperation sequence: Int64) -> Severity? {
    groups.first { !$0.positions(of: sequence, operations).isEmpty }?.severity
  }

  /// The codes of the findings about one operation after the other.
  struct Codes {
    private let list: FindingList
    /// How far the findings of each group were gone through.
    private var positions: [Int]
    private var last = Int64.min

    /// Begins before the first operation; the list is sorted.
    init(of list: FindingList) {
      self.list = list
      positions = list.groups.map { _ in 0 }
    }

    /// The codes of the findings about an operation, each once.
    ///
    /// Operations in the order of their numbers cost little.
    mutating func next(of sequence: Int64) -> [String] {
      guard sequence >= last else { return list.codes(ofOperation: sequence) }
      last = sequence
      var codes: [String] = []
      for number in positions.indices {
        let group = list.groups[number]
        var position = positions[number]
        while position < group.count,
          FindingGroup.precedes(group.sequence(at: position, list.operations), sequence)
        {
          position += 1
        }
        positions[number] = position
        while position < group.count, group.sequence(at: position, list.operations) == sequence {
          let code = list.code(ofGroup: number, position)
          if !codes.contains(code) { codes.append(code) }
          position += 1
        }
      }
      return codes
    }
  }

  /// The places of the findings of each kind.
  package var kinds: [Range<Int>] {
    var kinds: [Range<Int>] = []
    while (kinds.last?.upperBound ?? 0) < endIndex {
      let start = kinds.last?.upperBound ?? 0
      kinds.append(start..<end(ofKindAt: start))
    }
    return kinds
  }

  /// The codes of all findings, each once.
  package var codes: [String] {
    var codes: [String] = []
    for kind in kinds {
      let code = code(at: kind.lowerBound)
      if !codes.contains(code) { codes.append(code) }
    }
    return codes
  }

  /// The operations about which there are findings with a code.
  package func sequences(ofCode code: String) -> [Int64] {
    kinds.filter { self.code(at: $0.lowerBound) == code }.joined()
      .compactMap { sequence(at: $0) }
  }

  /// Whether there is a finding with a code.
  package func contains(code: String) -> Bool {
    kinds.contains { self.code(at: $0.lowerBound) == code }
  }

  func severity(at position: Int) -> Severity { groups[place(of: position).group].severity }

  /// How many places some findings stand for, those that are not listed among them.
  package func places(in range: Range<Int>) -> Int {
    groups.indices.reduce(0) { sum, number in
      let start = start(ofGroup: number)
      let part = range.clamped(to: start..<ends[number])
      guard part.count < groups[number].count else { return sum + groups[number].placeCount }
      return part.reduce(sum) { $0 + groups[number].count(at: $1 - start) }
    }
  }

  /// How many places have findings that matter so much.
  package func count(of severity: Severity) -> Int {
    groups.reduce(0) { $0 + ($1.severity == severity ? $1.placeCount : 0) }
  }

  /// The end of the findings that have the code and the severity of the one at a place.
  package func end(ofKindAt start: Int) -> Int {
    let groupEnd = ends.first { $0 > start } ?? endIndex
    guard groups[place(of: start).group].kind == FindingCatalogue.all.count else { return groupEnd }
    let code = code(at: start)
    return (start + 1..<groupEnd).first { self.code(at: $0) != code } ?? groupEnd
  }

  mutating func add(_ severity: Severity, kind: Int, operation place: Int, _ message: String) {
    let number = group(kind, severity)
    groups[number].add(place, operations.sequence(at: place), message)
    countOne(more: number)
  }

  /// Adds a finding that may be about anything.
  mutating func add(_ finding: Finding, kind: Int) {
    if let place = place(ofOperationOf: finding, kind: kind) {
      return add(finding.severity, kind: kind, operation: place, finding.message)
    }
    let number = group(kind, finding.severity)
    groups[number].add(finding)
    countOne(more: number)
  }

  /// The place of the operation of which a finding tells, where that says all but its words.
  private func place(ofOperationOf finding: Finding, kind: Int) -> Int? {
    guard operations.isNumbered, let place = finding.operation.flatMap(operations.place(numbered:)),
      finding.count == 1, finding.source == 0,
      kind < FindingCatalogue.all.count, FindingCatalogue.all[kind].code == finding.code
    else { return nil }
    let operation = operations[place]
    return hasSameBytes(operation.table, finding.table)
      && hasSameBytes(operation.itemID, finding.itemID)
      ? place : nil
  }

  private mutating func countOne(more number: Int) {
    for group in number..<ends.count { ends[group] += 1 }
  }

  /// The number of the group of a kind, which is made where it is missing.
  private mutating func group(_ kind: Int, _ severity: Severity) -> Int {
    var number = groups.count
    while number > 0 {
      let before = (groups[number - 1].severity, groups[number - 1].kind)
      if before == (severity, kind) { return number - 1 }
      if before.0 == severity ? before.1 < kind : before.0 > severity { break }
      number -= 1
    }
    groups.insert(FindingGroup(kind: kind, severity: severity), at: number)
    ends.insert(number == 0 ? 0 : ends[number - 1], at: number)
    return number
  }

  /// Adds the findings of another list about the same operations.
  mutating func add(_ others: FindingList) {
    for other in others.groups {
      let number = group(other.kind, other.severity)
      if groups[number].count == 0 {
        groups[number] = other
      } else {
        for position in 0..<other.count { groups[number].add(position, of: other, operations) }
      }
      for group in number..<ends.count { ends[group] += other.count }
    }
  }

  /// Leaves out some findings.
  mutating func removeAll(where isUnwanted: (Finding) -> Bool) {
    var rest = FindingList(about: operations)
    for number in groups.indices {
      for position in 0..<groups[number].count {
        let code = code(ofGroup: number, position)
        if isUnwanted(groups[number].finding(at: position, code: code, operations)) { continue }
        let new = rest.group(groups[number].kind, groups[number].severity)
        rest.groups[new].add(position, of: groups[number], operations)
        rest.countOne(more: new)
      }
    }
    self = rest
  }

  /// Brings the findings of each kind into the order of the queue.
  mutating func sort() { groups = groups.map { $0.sorted(operations) } }
}
