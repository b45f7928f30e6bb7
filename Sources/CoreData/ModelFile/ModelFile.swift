import Bytes
import XMLFormat

/// A file or folder that the user names as the model of a store.
struct ModelFile: Sendable {
  let path: String
  let form: Form

  /// What a model can be kept as; recognised by content, whatever its name ends in.
  enum Form: Sendable, Equatable {
    /// A compiled model, `.mom`.
    case compiled
    /// A folder of compiled versions, `.momd`.
    case compiledVersions
    /// The source of one version: a `contents` file.
    case source
    /// The folder of such a file, `.xcdatamodel`.
    case sourceFolder
    /// A folder of such folders, `.xcdatamodeld`.
    case sourceVersions
  }

  /// Looks at what the path names.
  ///
  /// - Throws: `ModelFileError` when it cannot be read or is nothing of the kind.
  init(at path: String) throws(ModelFileError) {
    self.path = path
    form =
      Paths.isDirectory(path)
      ? try ModelFolder(path).form() : try Self.form(ofFile: path)
  }

  /// Reads every version.
  ///
  /// - Throws: `ModelFileError` when none can be read.
  func versions() throws(ModelFileError) -> ModelVersions {
    let results: [Result<ModelCandidate, ModelFileError>] =
      switch form {
      case .compiled, .source: [ModelFolder.candidate(at: path, form, name: name)]
      case .sourceFolder:
        [ModelFolder.candidate(at: Paths.join(path, "contents"), .source, name: name)]
      case .compiledVersions: try ModelFolder(path).compiledVersions()
      case .sourceVersions: try ModelFolder(path).sourceVersions()
      }
    return try ModelVersions(path: path, results)
  }

  /// The last part of the path without its ending, or of its folder where the file has no name.
  private var name: String {
    let isContents = form == .source && Paths.fileName(of: path) == "contents"
    return withoutEnding(Paths.fileName(of: isContents ? Paths.folder(of: path) : path))
  }

  private static func form(ofFile path: String) throws(ModelFileError) -> Form {
    let start: [UInt8]
    do {
      start = try readPrefix(of: path, count: 256)
    } catch {
      throw ModelFileError(error)
    }
    if start.starts(with: Array("bplist00".utf8)) { return .compiled }
    if start.starts(with: Array("momv2$".utf8)) {
      throw ModelFileError(
        .unsupported, path: path, "it is the optimised form of a compiled model",
        hint: "name the .mom file beside it, or the .momd folder around it")
    }
    guard looksLikeXML(start) else {
      throw ModelFileError(
        .notAModel, path: path, "it is neither a compiled model nor the source of one",
        hint: "name the app's .momd, .mom or .xcdatamodeld")
    }
    return .source
  }

  private static func looksLikeXML(_ start: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
    if marks.contains(where: { start.starts(with: $0) }) { return true }
    return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }
}

/// A file's name up to its last point.
func withoutEnding(_ name: String) -> String {
  guard let point = name.lastIndex(of: "."), point > name.startIndex else { return name }
  return String(name[..<point])
}

/// Why a model that the user names cannot be used.
struct ModelFileError: Error, Sendable, Equatable {
  /// The kinds of trouble.
  enum Code: String, Sendable {
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
  let code: Code
  let kind: FailureKind
  let message: String
  let hint: String?
  var path: String?

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

extension ModelFileError: Failure {}

extension ModelFileError: CustomStringConvertible {
  /// The message, after the path where there is one.
  var description: String {
    [path, message].compactMap(\.self).joined(separator: ": ")
  }
}
