import Bytes
import XMLFormat

/// A folder that is a model, or that holds the versions of one.
struct ModelFolder {
  private let path: String
  private let names: [String]

  /// The file that tells which of the sources is the current version.
  static let currentSource = ".xccurrentversion"
  /// The file that tells the current version and the hashes of compiled versions.
  static let versionInfo = "VersionInfo.plist"
  /// The most files and folders that a model's folder may hold.
  static let maxNames = 10_000
  /// The most bytes that one of its files may have.
  static let maxBytes = 64 << 20

  init(_ path: String) throws(ModelFileError) {
    self.path = path
    do {
      names = try fileNames(inFolder: path, limit: Self.maxNames)
    } catch {
      throw ModelFileError(error)
    }
  }

  /// What the folder is.
  ///
  /// - Throws: `ModelFileError` when it is not about models.
  func form() throws(ModelFileError) -> ModelFile.Form {
    if isFile("contents") { return .sourceFolder }
    if isFile(Self.versionInfo) || !compiledNames.isEmpty { return .compiledVersions }
    if isFile(Self.currentSource) || !sourceNames.isEmpty { return .sourceVersions }
    if isFile("elements"), isFile("layout") {
      throw ModelFileError(
        .unsupported, path: path, "it is a model in the form of Xcode 4.0 and earlier",
        hint: "name the compiled model (.mom or .momd) from the app instead")
    }
    throw ModelFileError(.notAModel, path: path, "the folder contains no model")
  }

  /// Reads the compiled versions, which all other files of the folder only describe.
  func compiledVersions() throws(ModelFileError) -> [Result<ModelCandidate, ModelFileError>] {
    let info = isFile(Self.versionInfo) ? try propertyList(Self.versionInfo) : nil
    let current = info?["NSManagedObjectModel_CurrentVersionName"]?.string
    let hashes = info?["NSManagedObjectModel_VersionHashes"]
    return compiledNames.map { file in
      let name = withoutEnding(file)
      return Self.candidate(at: Paths.join(path, file), .compiled, name: name).map { candidate in
        var candidate = candidate
        candidate.hashes = hashes?[name]?.entityHashes
        candidate.isCurrent = name == current
        return candidate
      }
    }
  }

  func sourceVersions() throws(ModelFileError) -> [Result<ModelCandidate, ModelFileError>] {
    let info = isFile(Self.currentSource) ? try propertyList(Self.currentSource) : nil
    let current = info?["_XCCurrentVersionName"]?.string
    return sourceNames.map { folder in
      let file = Paths.join(Paths.join(path, folder), "contents")
      return Self.candidate(at: file, .source, name: withoutEnding(folder)).map { candidate in
        var candidate = candidate
        // Without that file there is but one version.
        candidate.isCurrent = current.map { $0 == folder } ?? (sourceNames.count == 1)
        return candidate
      }
    }
  }

  static func candidate(
    at path: String, _ form: ModelFile.Form, name: String
  ) -> Result<ModelCandidate, ModelFileError> {
    do throws(ModelFileError) {
      let bytes = try read(path)
      let model =
        form == .compiled
        ? try compiledModel(bytes) : try ManagedObjectModel(xcdatamodelContents: bytes)
      return .success(ModelCandidate(name: name, model: model))
    } catch {
      var error = error
      if error.path == nil { error.path = path }
      return .failure(error)
    }
  }

  private static func compiledModel(_ bytes: [UInt8]) throws(ModelFileError) -> ManagedObjectModel {
    do {
      return try ManagedObjectModel(mom: bytes)
    } catch {
      throw ModelFileError(error)
    }
  }

  private static func read(_ path: String) throws(ModelFileError) -> [UInt8] {
    do {
      return try readFile(path, limit: maxBytes)
    } catch {
      throw ModelFileError(error)
    }
  }

  /// Files that are binary property lists, other than the one about the versions.
  private var compiledNames: [String] {
    names.filter { name in
      name != Self.versionInfo && isFile(name)
        && startsLikeArchive(Paths.join(path, name))
    }
  }

  private var sourceNames: [String] {
    names.filter { name in
      let folder = Paths.join(path, name)
      return Paths.isDirectory(folder) && Paths.exists(Paths.join(folder, "contents"))
    }
  }

  private func startsLikeArchive(_ path: String) -> Bool {
    // A file that cannot be read is no version; if there is no other, that is said.
    (try? readPrefix(of: path, count: 8)).map { $0 == Array("bplist00".utf8) } ?? false
  }

  private func isFile(_ name: String) -> Bool {
    names.contains(name) && !Paths.isDirectory(Paths.join(path, name))
  }

  private func propertyList(_ name: String) throws(ModelFileError) -> XMLPropertyList {
    let file = Paths.join(path, name)
    do {
      return try XMLPropertyList(small: Self.read(file))
    } catch {
      var error = error
      if error.path == nil { error.path = file }
      throw error
    }
  }
}
