import Bytes

/// What a person calls the devices of a store that several were joined into.
package struct DeviceLabels: Sendable {
  private let labels: [Int64: String]
  private let isOfSeveral: Bool

  /// Where several stores are of one device, the path behind its name tells which it is.
  package init(of source: SourceDescription) {
    isOfSeveral = source.isOfSeveral
    var counts: [ExactText: Int] = [:]
    for store in source.earlier {
      if let device = store.source.device { counts[ExactText(device), default: 0] += 1 }
    }
    var labels: [Int64: String] = [:]
    for store in source.earlier {
      let path = store.source.path ?? store.source.name
      let device = store.source.device
      labels[store.number] =
        device.map { counts[ExactText($0)] == 1 ? $0 : "\($0): \(path)" } ?? path
    }
    self.labels = labels
  }

  /// The device with a number, as operations name it; nil where the store is that of one, or where
  /// nobody knows which of several it is.
  package subscript(number: Int32) -> String? {
    isOfSeveral && number > 0 ? labels[Int64(number)] ?? "source \(number)" : nil
  }
}
