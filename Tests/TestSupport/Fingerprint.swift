import Foundation

/// Everything that Python sees of a file or folder: names, kinds, rights, times and contents.
///
/// Two equal fingerprints mean that nothing below was added, removed, written or touched.
package struct Fingerprint: Equatable, Sendable, CustomStringConvertible {
  /// One line for each entry: kind, mode, size, modification time, hash and name.
  package let lines: [String]

  /// Looks at everything at or below `path`.
  package init(of path: String) throws {
    let output = try Python.run(Self.script, arguments: [path])
    lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  package var description: String { lines.joined(separator: "\n") }

  private static let script = """
    import hashlib, os, stat, sys
    def show(path, name):
        info = os.lstat(path)
        kind = stat.filemode(info.st_mode)
        content = "-"
        if stat.S_ISREG(info.st_mode):
            with open(path, "rb") as file: content = hashlib.sha256(file.read()).hexdigest()
        elif stat.S_ISLNK(info.st_mode):
            content = os.readlink(path)
        print(kind, info.st_uid, info.st_size, info.st_mtime_ns, content, ascii(name))
        if stat.S_ISDIR(info.st_mode):
            for entry in sorted(os.listdir(path)):
                show(os.path.join(path, entry), os.path.join(name, entry))
    show(sys.argv[1], ".")
    """
}
