/// What the SDKs of some sources do otherwise than most, by the numbers of the sources.
package struct FoldHabits: Sendable {
  /// Those that take ids that differ only in letter case for two items.
  package var exactSources: Set<Int32> = []
  /// Those whose deletes may name items that the server never had.
  var missingSources: Set<Int32> = []
  /// Those whose updates hold only what changed, and whose inserts take the place of what is there.
  package var changeSources: Set<Int32> = []
  /// Those whose updates may hold only a part of the item, and add to the payload before them.
  var joiningSources: Set<Int32> = []
  /// Those whose versions are numbers, of which the greatest counts.
  var numberSources: Set<Int32> = []
  /// Whether each operation is sent as it is, and none is joined with another.
  package var keepsApart = false
  /// Those whose operations on one item are branches beside each other, and are never folded.
  package var branchSources: Set<Int32> = []
  /// Makes one payload of those of an item, in push order; nil where they are no objects.
  var join: @Sendable (_ payloads: ItemPayloads) -> [UInt8]? = { $0.reduce(nil) { $1 } }

  /// The habits of most SDKs, but for these sources.
  package init(
    exactSources: Set<Int32> = [], missingSources: Set<Int32> = [], changeSources: Set<Int32> = [],
    joiningSources: Set<Int32> = [], numberSources: Set<Int32> = [],
    branchSources: Set<Int32> = []
  ) {
    self.exactSources = exactSources
    self.missingSources = missingSources
    self.changeSources = changeSources
    self.joiningSources = joiningSources
    self.numberSources = numberSources
    self.branchSources = branchSources
  }

  /// The same, where payloads are joined in this way.
  package func joining(
    _ join: @escaping @Sendable (_ payloads: ItemPayloads) -> [UInt8]?
  ) -> FoldHabits {
    var habits = self
    habits.join = join
    return habits
  }
}
