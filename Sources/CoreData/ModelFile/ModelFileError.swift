package import Bytes
import XMLFormat

/// Why a model that the user names cannot be used.
package struct ModelFileError: Error, Sendable, Equatable {
  /// The kinds of trouble.
  package enum Code: String, Sendable {
    /// A file or folder could not be read.
    case inputOutput
    /// What the path names is no model, nor a folder of models.
    case notAModel
    /// A file of the model is damaged or cut short.
    case unreadable
    /// The model is of a kind that only Apple's own tools read.
    case unsupported
    /// The model contradicts itself or passes a limit.
    case unusable
    /// No version of the model belongs to the store.
    case noVersionFits
  }

  /// The kind of trouble.
  package let code: Code
  package let kind: TroubleKind
  package let message: String
  package let hint: String?
  package var path: String?

  /// Describes trouble with a file or folder.
  init(_ code: Code, path: String? = nil, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    kind =
      switch code {
      case .inputOutput: .inputOutput
      case .notAModel, .noVersionFits: .usage
      case .unreadable, .unusable: .damaged
      case .unsupported: .unsupported
      }
  }

  /// Takes over what is wrong with a model.
  init(_ error: ModelError) { self.init(.unusable, error.description) }

  /// Takes over what is wrong with a file's XML.
  init(_ error: XMLError) { self.init(.unreadable, path: error.path, error.message) }

  /// Takes over why a file could not be read.
  init(_ error: FileError) {
    code = .inputOutput
    kind = error.kind
    message = error.message
    hint = error.hint
    path = error.path
  }
}

extension ModelFileError: Trouble {}

extension ModelFileError: CustomStringConvertible {
  /// The message, after the path where there is one.
  package var description: String {
    [path, message].compactMap(\.self).joined(separator: ": ")
  }
}
