/// Changes to the bytes of a sample: damage that leaves most of a store as it was.
struct PageEdits {
  private(set) var main: [UInt8]
  private(set) var log: [UInt8]
  /// Whether the store is to be read with `--salvage`.
  let salvages: Bool

  /// Reads the sample, the options and the changes from an input.
  ///
  /// A change is a place of two bytes in units of eight, one byte that names the file, the place
  /// within the unit and how many bytes follow, and these.
  init(_ input: [UInt8], of samples: SampleStores) {
    var input = InputBytes(input)
    let sample = samples.store(input.byte())
    let options = input.byte()
    main = sample.main
    log = sample.log
    salvages = options & 1 != 0
    while !input.isEmpty {
      let (unit, kind) = (input.number(), input.byte())
      let place = unit * 8 + Int(kind >> 4 & 7)
      let bytes = input.bytes(Int(kind & 15) + 1)
      if kind & 128 == 0 { Self.put(bytes, at: place, in: &main) }
      if kind & 128 != 0 { Self.put(bytes, at: place, in: &log) }
    }
    if options & 2 != 0 { main.removeLast(min(main.count, main.count / 3 + Int(options))) }
    if options & 4 == 0 { Self.seal(&log) }
  }

  private static func put(_ bytes: [UInt8], at place: Int, in file: inout [UInt8]) {
    guard !file.isEmpty else { return }
    for (index, byte) in bytes.enumerated() { file[(place + index) % file.count] = byte }
  }

  /// Makes the checksums of a log right again, or nothing behind a change would ever be read.
  private static func seal(_ log: inout [UInt8]) {
    let pageSize = 4096
    guard log.count >= 32 else { return }
    var sums: (UInt32, UInt32) = (0, 0)
    add(log[0..<24], to: &sums)
    store(sums, in: &log, at: 24)
    for start in stride(from: 32, to: log.count - 24 - pageSize + 1, by: 24 + pageSize) {
      add(log[start..<start + 8], to: &sums)
      add(log[start + 24..<start + 24 + pageSize], to: &sums)
      store(sums, in: &log, at: start + 16)
    }
  }

  /// The samples' logs hold their numbers with the lowest byte first.
  private static func add(_ bytes: ArraySlice<UInt8>, to sums: inout (UInt32, UInt32)) {
    var place = bytes.startIndex
    let word = { (place: Int) in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }
    while place + 8 <= bytes.endIndex {
      sums.0 = sums.0 &+ word(place) &+ sums.1
      sums.1 = sums.1 &+ word(place + 4) &+ sums.0
      place += 8
    }
  }

  private static func store(_ sums: (UInt32, UInt32), in log: inout [UInt8], at place: Int) {
    for (index, sum) in [sums.0, sums.1].enumerated() {
      for byte in 0..<4 {
        log[place + index * 4 + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(byte)))
      }
    }
  }
}
