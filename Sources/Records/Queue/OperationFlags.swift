/// What an operation does, how far it has come, whether it has a row and whether a person has dropped
/// it, in one byte.
struct OperationFlags: Sendable, Equatable {
  /// The kind in two bits, the state in three, whether there is a row in one, the mark in one.
  private(set) var bits: UInt8

  private static let kindBits: UInt8 = 0b11
  private static let stateBits: UInt8 = 0b111 << 2
  private static let rowBit: UInt8 = 1 << 5
  private static let markBit: UInt8 = 1 << 6

  /// An unknown kind, not tried, and no row.
  init() { bits = 0 }

  init(bits: UInt8) { self.bits = bits }

  /// What it does; nil when that cannot be decoded.
  var kind: OperationKind? {
    get {
      switch bits & Self.kindBits {
      case 1: .insert
      case 2: .update
      case 3: .delete
      default: nil
      }
    }
    set {
      let kind: UInt8 =
        switch newValue {
        case nil: 0
        case .insert: 1
        case .update: 2
        case .delete: 3
        }
      bits = bits & ~Self.kindBits | kind
    }
  }

  /// How far it has come, whatever a person has decided since.
  var ownState: OperationState {
    get {
      switch (bits & Self.stateBits) &>> 2 {
      case 1: .attempted
      case 2: .failed
      case 3: .completed
      case 4: .dropped
      default: .pending
      }
    }
    set {
      let state: UInt8 =
        switch newValue {
        case .pending: 0
        case .attempted: 1
        case .failed: 2
        case .completed: 3
        case .dropped: 4
        }
      bits = bits & ~Self.stateBits | state &<< 2
    }
  }

  /// Whether a person's mark says that it must not be sent.
  var isMarkedDropped: Bool {
    get { bits & Self.markBit != 0 }
    set { bits = newValue ? bits | Self.markBit : bits & ~Self.markBit }
  }

  /// Whether it has a row.
  var hasRow: Bool {
    get { bits & Self.rowBit != 0 }
    set { bits = newValue ? bits | Self.rowBit : bits & ~Self.rowBit }
  }
}
