import Foundation
import TestSupport

extension TemporaryFolder {
  /// A copy of a sample's store and its side files, in a folder of its own inside this one.
  func copy(of sample: Sample) throws -> String {
    let target = try makeFolder(sample.name)
    let source = Project.path("samples/\(sample.name)")
    for name in try FileManager.default.contentsOfDirectory(atPath: source)
    where name.hasPrefix(sample.storeName) {
      try FileManager.default.copyItem(
        atPath: source + "/" + name, toPath: target + "/" + name)
    }
    return target
  }

  /// Creates a file in the folder and returns its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try write(Array(bytes), to: name)
  }
}
