import Foundation

/// Where `actual` lacks a field of `expected` or has another value; more fields are allowed.
func differences(_ expected: Any, _ actual: Any?, at place: String = "$") -> [String] {
  switch (expected, actual) {
  case (let expected as [String: Any], let actual as [String: Any]):
    expected.sorted { $0.key < $1.key }.flatMap {
      differences($0.value, actual[$0.key], at: "\(place).\($0.key)")
    }
  case (let expected as [Any], let actual as [Any]):
    expected.count == actual.count
      ? zip(expected, actual).enumerated().flatMap {
        differences($1.0, $1.1, at: "\(place)[\($0)]")
      }
      : ["\(place): \(expected.count) elements expected, \(actual.count) found"]
  case (let expected as NSObject, let actual as NSObject) where expected == actual: []
  case (let expected as String, let actual as String) where expected == actual: []
  case (let expected as NSNumber, let actual as Int) where expected.intValue == actual: []
  default: ["\(place): \(expected) expected, \(actual ?? "nothing") found"]
  }
}
