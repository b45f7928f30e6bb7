import Foundation

/// The sample stores of the project.
enum Samples {
  /// The store of an iOS sample.
  static func ios(_ name: String) -> URL {
    folder.appendingPathComponent(name).appendingPathComponent("qstodoitem.sqlite")
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("samples")
}
