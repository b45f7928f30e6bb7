package import Records

extension Finding {
  /// A file that an older SDK made and a newer one went on with.
  package static func twoGenerations(_ evidence: String) -> Finding {
    Finding(
      "two-sdk-generations", .note,
      message: "two generations of the SDK have written to the file: \(evidence)")
  }
}
