import Bytes
import Records

extension XMLContents {
  /// What identifiers and properties show that a person should know.
  var findings: [Finding] {
    var findings: [Finding] = []
    if unusualCount > 0 {
      findings.append(
        Finding(
          "object-id-unusual", .note,
          message: unusualCount.counting("object has", "objects have")
            + " no id such as z102; \(unusualCount == 1 ? "it is" : "they are") numbered after the "
            + "largest one"))
    }
    if repeatedCount > 0 {
      findings.append(
        Finding(
          "duplicate-object-id", .warning,
          message: repeatedCount.counting("object has", "objects have")
            + " the id of an earlier one; \(repeatedCount == 1 ? "it is" : "they are") numbered "
            + "after the largest one, and references mean the earlier one"))
    }
    if repeatedPropertyCount > 0 {
      findings.append(
        Finding(
          "repeated-property", .warning,
          message: repeatedPropertyCount.counting(
            "value or relationship stands", "values or relationships stand")
            + " in an object that has \(repeatedPropertyCount == 1 ? "it" : "them") already; only the first counts"
        ))
    }
    return findings
  }
}

extension CoreDataXMLSchema {
  /// What the document shows that a person should know.
  func findings(_ given: GivenModel?) -> [Finding] {
    var findings: [Finding] = []
    if given == nil {
      findings.append(
        Finding(
          "names-from-fallback", .note,
          message: "the store keeps names of properties in lower case only; --model gives their "
            + "true spelling"))
    }
    if unknownElementCount > 0 {
      findings.append(
        Finding(
          "unknown-element", .warning,
          message: unknownElementCount.counting("element", "elements") + " of the document "
            + (unknownElementCount == 1
              ? "means nothing known and is left out" : "mean nothing known and are left out")))
    }
    return findings
  }
}

extension XMLRelation {
  /// What its pairs show that a person should know.
  var findings: [Finding] {
    var findings: [Finding] = []
    let what = "\(name)"
    let danglingCount = pairs.danglingCount
    if danglingCount > 0 {
      findings.append(
        Finding(
          "dangling-reference", .warning, table: name.entity,
          message: danglingCount.counting("reference", "references") + " of \(what) "
            + (danglingCount == 1 ? "leads" : "lead") + " to objects that are not there; "
            + (form == .covered
              ? "no row of theirs could keep them" : "their \(Finding.numbersKept)")))
    }
    if oneSidedCount > 0 {
      findings.append(
        Finding(
          "one-sided-reference", .note, table: name.entity,
          message: oneSidedCount.counting("reference", "references") + " of \(what) "
            + (oneSidedCount == 1
              ? "is known only from the other side and is"
              : "are known only from the other side and are")
            + " filled in from there"))
    }
    if contradictionCount > 0 {
      findings.append(
        Finding(
          "one-sided-reference", .warning, table: name.entity,
          message: contradictionCount.counting("reference", "references")
            + " of \(what) \(contradictionCount == 1 ? "is" : "are") not what the other side says; "
            + "this side counts"))
    }
    return findings
  }
}
