import Testing

/// Relationships of which several tell the same pairs, so that a store without a model does not say
/// which is the inverse of which.
struct CoreDataXMLMirrorsTests {
  @Test func twoToManysOfOneReferenceBothStay() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["books 0/0 B z3 z4", "loved 0/0 B z3 z4"])
        + object("A", "z2", links: ["books 0/0 B", "loved 0/0 B"])
        + object("B", "z3", links: ["author 0/1 A z1"])
        + object("B", "z4", links: ["author 0/1 A z1"]))
    #expect(store.tableNames == ["A", "B"])
    #expect(
      store.columns("B") == ["author reference", "A_books reference", "A_loved reference"])
    #expect(store.rows("B") == ["3 1 1 1", "4 1 1 1"])
  }

  @Test func asManyReferencesAsToManysCoverThem() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["books 0/0 B z3", "edited 0/0 B z3"])
        + object("B", "z3", links: ["author 0/1 A z1", "editor 0/1 A z1"]))
    #expect(store.tableNames == ["A", "B"])
    #expect(store.columns("B") == ["author reference", "editor reference"])
  }

  @Test func referenceAndToManyLeadBackToOneEach() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["books 0/0 B z3 z4", "read 0/0 B z3 z4"])
        + object("B", "z3", links: ["author 0/1 A z1", "readers 0/0 A z1"])
        + object("B", "z4", links: ["author 0/1 A z1", "readers 0/0 A z1"]))
    #expect(store.tableNames == ["A", "B", "B_readers"])
    #expect(store.columns("B") == ["author reference"])
    #expect(store.rows("B_readers") == ["1 3 1", "2 4 1"])
  }

  @Test func toManyStaysWhereTheReferenceMayBelongToAnother() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["current 0/1 B z2", "items 0/0 B z2"])
        + object("B", "z2", links: ["owner 0/1 A z1"]))
    #expect(store.columns("A") == ["current reference"])
    #expect(store.columns("B") == ["owner reference", "A_items reference"])
    #expect(store.rows("B") == ["2 1 1"])
  }

  @Test func crossedReferencesAndToManysKeepOneSide() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["b 0/1 B z2", "bs 0/0 B z2"])
        + object("B", "z2", links: ["a 0/1 A z1", "as 0/0 A z1"]))
    #expect(store.tableNames == ["A", "B", "A_bs"])
    #expect(store.rows("A_bs") == ["1 1 2"])
  }

  /// The side with more of them is kept wherever it sorts.
  @Test(arguments: ["A", "Z"])
  func secondManyToManyIsKept(entity: String) throws {
    let store = try XMLStoreReading(
      objects: object(entity, "z1", links: ["likes 0/0 M z3 z4", "reads 0/0 M z3 z4"])
        + object(entity, "z2", links: ["likes 0/0 M z3", "reads 0/0 M z3"])
        + object("M", "z3", links: ["fans 0/0 \(entity) z1 z2"])
        + object("M", "z4", links: ["fans 0/0 \(entity) z1"]))
    let tables = ["\(entity)_likes", "\(entity)_reads"]
    #expect(store.tableNames == [entity, "M"].sorted() + tables)
    for table in tables { #expect(store.rows(table) == ["1 1 3", "2 1 4", "3 2 3"]) }
  }

  @Test func mutualPairsKeepBothDirections() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z2", links: ["follows 0/0 A z3", "followedby 0/0 A z3"])
        + object("A", "z3", links: ["follows 0/0 A z2", "followedby 0/0 A z2"]))
    #expect(store.tableNames == ["A", "A_followedby", "A_follows"])
    #expect(store.rows("A_followedby") == ["1 2 3", "2 3 2"])
    #expect(store.rows("A_follows") == ["1 2 3", "2 3 2"])
  }

  @Test func linksToItselfBesideMutualPairsKeepBothDirections() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z2", links: ["likes 0/0 A z2 z3", "likedby 0/0 A z2 z3"])
        + object("A", "z3", links: ["likes 0/0 A z2", "likedby 0/0 A z2"]))
    #expect(store.rows("A_likedby") == ["1 2 2", "2 2 3", "3 3 2"])
    #expect(store.rows("A_likes") == ["1 2 2", "2 2 3", "3 3 2"])
  }

  @Test func friendsStayWhereAReferenceHasTheirPairs() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z2", links: ["spouse 0/1 A z3", "friends 0/0 A z3"])
        + object("A", "z3", links: ["spouse 0/1 A z2", "friends 0/0 A z2"]))
    #expect(store.tableNames == ["A", "A_friends"])
    #expect(store.columns("A") == ["spouse reference"])
    #expect(store.rows("A_friends") == ["1 2 3", "2 3 2"])
  }

  @Test func inverseOnSeveralEntitiesCoversWhatEachOfThemTells() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["parts 0/0 BASE z2 z3"])
        + object("B", "z2", links: ["whole 0/1 A z1"])
        + object("C", "z3", links: ["whole 0/1 A z1"]))
    #expect(store.tableNames == ["A", "B", "C"])
    #expect(store.columns("B") == ["whole reference"] && store.columns("C") == ["whole reference"])
  }
}
