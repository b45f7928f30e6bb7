import Testing

@testable import CoreData

struct JoinResolutionTests {
  private let users = [
    entity(
      "User", [],
      [
        toMany("follows", "User", inverse: "followedBy", ordered: true),
        toMany("followedBy", "User", inverse: "follows"),
      ])
  ]
  private let tags = [
    entity("Note", [], [toMany("tags", "Tag", inverse: "notes")]),
    entity("Tag", [], [toMany("notes", "Note", inverse: "tags")]), entity("Sub", parent: "Tag"),
  ]

  @Test(arguments: ["Z_1FOLLOWS", "Z_1FOLLOWEDBY"])
  func whicheverCandidateExistsIsTaken(name: String) throws {
    let resolution = try resolve(
      users,
      in: [
        table("ZUSER"), joinTable(name, "Z_1FOLLOWS", "Z_1FOLLOWEDBY", "Z_FOK_1FOLLOWS"),
      ])
    #expect(resolution.differences.isEmpty)
    let join = try #require(resolution.joinTables.first)
    #expect(join.name == "User_followedBy")
    #expect(join.table == name)
    #expect(join.ownerColumn?.name == "Z_1FOLLOWS")
    #expect(join.targetColumn?.name == "Z_1FOLLOWEDBY")
    #expect(join.reversePositionColumn?.name == "Z_FOK_1FOLLOWS")
  }

  @Test func candidateWithFittingColumnsIsPreferred() throws {
    let resolution = try resolve(
      tags,
      in: [
        table("ZNOTE"), table("ZTAG"), joinTable("Z_2NOTES", "A", "B"),
        joinTable("Z_1TAGS", "Z_1NOTES", "Z_2TAGS"),
      ])
    #expect(resolution.joinTables.first?.table == "Z_1TAGS")
    #expect(resolution.differences == [.extraTable(table: "Z_2NOTES")])
  }

  @Test func twoFittingCandidatesAreReported() throws {
    let resolution = try resolve(
      tags,
      in: [
        table("ZNOTE"), table("ZTAG"), joinTable("Z_1TAGS", "Z_1NOTES", "Z_2TAGS"),
        joinTable("Z_2NOTES", "Z_1NOTES", "Z_2TAGS"),
      ])
    #expect(resolution.joinTables.first?.table == "Z_2NOTES")
    #expect(
      resolution.differences.contains(
        .severalJoinTables(
          PropertyName(entity: "Note", property: "tags"), chosen: "Z_2NOTES", other: "Z_1TAGS")))
  }

  @Test func columnsMayCarryDigits() throws {
    let resolution = try resolve(
      tags,
      in: [table("ZNOTE"), table("ZTAG"), joinTable("Z_2NOTES", "Z_2TAGS1", "Z_1NOTES")])
    let join = try #require(resolution.joinTables.first)
    #expect(join.ownerColumn?.name == "Z_1NOTES")
    #expect(join.targetColumn?.name == "Z_2TAGS1")
    #expect(resolution.differences.isEmpty)
  }

  @Test func exactNameGoesBeforeOneWithDigits() throws {
    let resolution = try resolve(
      [
        entity(
          "A", [],
          [toMany("x", "A", inverse: "x1"), toMany("x1", "A", inverse: "x")])
      ], in: [table("ZA"), joinTable("Z_1X", "Z_1X1", "Z_1X")])
    let join = try #require(resolution.joinTables.first)
    #expect(join.ownerRelationship.property == "x")
    #expect(join.ownerColumn?.name == "Z_1X1")
    #expect(join.targetColumn?.name == "Z_1X")
  }

  @Test func endsSayWhetherRowsCanBelongToDescendants() throws {
    let resolution = try resolve(
      tags,
      in: [table("ZNOTE"), table("ZTAG"), joinTable("Z_2NOTES", "Z_2TAGS", "Z_1NOTES")])
    let join = try #require(resolution.joinTables.first)
    #expect(
      join.owner == ResolvedEnd(entity: "Note", number: 1, table: "ZNOTE", isPolymorphic: false))
    #expect(
      join.target == ResolvedEnd(entity: "Tag", number: 2, table: "ZTAG", isPolymorphic: true))
  }

  @Test func reflexiveTableHasItsLiteralColumn() throws {
    let resolution = try resolve(
      [entity("User", [], [toMany("friends", "User", inverse: "friends")])],
      in: [table("ZUSER"), joinTable("Z_1FRIENDS", "Z_1FRIENDS", "REFLEXIVE")])
    let join = try #require(resolution.joinTables.first)
    #expect(join.isReflexive)
    #expect(join.ownerColumn?.name == "Z_1FRIENDS")
    #expect(join.targetColumn?.name == "REFLEXIVE")
    #expect(resolution.differences.isEmpty)
  }

  @Test func missingTableAndColumnsAreReported() throws {
    let missing = try resolve(tags, in: [table("ZNOTE"), table("ZTAG")])
    let note = PropertyName(entity: "Note", property: "tags")
    let tag = PropertyName(entity: "Tag", property: "notes")
    #expect(
      missing.differences == [
        .missingJoinTable(note, inverse: tag, candidates: ["Z_2NOTES", "Z_1TAGS"])
      ])
    #expect(missing.joinTables.first?.table == nil)
    let odd = try resolve(
      tags, in: [table("ZNOTE"), table("ZTAG"), joinTable("Z_2NOTES", "Z_2TAGS", "X")])
    #expect(
      odd.differences == [
        .missingColumn(tag, table: "Z_2NOTES", column: "Z_1NOTES"),
        .extraColumn(table: "Z_2NOTES", column: "X"),
      ])
  }

  /// No other column is taken for one that cannot be computed, which is told elsewhere.
  @Test func columnThatCannotBeReadIsNotReplaced() throws {
    let pairs = joinTable("Z_2NOTES", "Z_1NOTES", "Z_1NOTES1", "Z_2TAGS", "X")
    for (readable, names) in [
      ([1, 2], [nil, "Z_2TAGS"]), ([0, 1, 3], ["Z_1NOTES", nil]), ([1], [nil, nil]),
    ] as [(Set<Int>, [String?])] {
      let resolution = try resolve(
        tags, in: [table("ZNOTE"), table("ZTAG"), pairs.reading(columnsAt: readable)])
      let join = try #require(resolution.joinTables.first)
      #expect([join.ownerColumn?.name, join.targetColumn?.name] == names)
      let extra = ["Z_1NOTES1"] + (readable.contains(3) ? ["X"] : [])
      #expect(
        resolution.differences == extra.map { .extraColumn(table: "Z_2NOTES", column: $0) })
    }
  }
}
