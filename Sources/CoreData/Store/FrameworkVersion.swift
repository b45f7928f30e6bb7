/// The version of Core Data that wrote a store, and the systems that it came with.
struct FrameworkVersion: Sendable, Equatable {
  let number: Int64

  init(_ number: Int64) {
    self.number = number
  }

  /// The systems that stores of known origin tie this version to; neighbours are approximate.
  var system: String {
    let known = Self.systems.last { $0.first <= number }
    return known?.name ?? "older than iPhone OS 3"
  }

  private static let systems: [(first: Int64, name: String)] = [
    (230, "iPhone OS 3"), (241, "iPhone OS 3 or 4"), (386, "iOS 5"), (407, "OS X 10.8"),
    (419, "iOS 6"), (519, "iOS 8"), (637, "iOS 9, OS X 10.11"), (752, "iOS 10, macOS 10.12"),
    (847, "iOS 11, macOS 10.13"), (865, "iOS 12, macOS 10.14"), (973, "iOS 13, macOS 10.15"),
    (1044, "iOS 14, macOS 11"), (1132, "iOS 15, macOS 12"), (1239, "iOS 16, macOS 13"),
    (1333, "iOS 17, macOS 14"), (1414, "iOS 18, macOS 15"), (1509, "iOS 26, macOS 26"),
  ]
}
