import Foundation

/// A directory with copies of a photograph, which are the sources of the measured servers.
final class PhotoFolder {
    let names: [String]
    var path: String { scratch.path }
    private let scratch: ScratchDirectory

    init(_ photo: Data, type: String, count: Int = 1) throws {
        scratch = try ScratchDirectory()
        names = (0..<count).map { "photo-\($0).\(type)" }
        for name in names { try photo.write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    }

    /// Sets the modification time of all files to now, so that every server reads them again.
    func renew() throws {
        for name in names {
            guard utimensat(AT_FDCWD, "\(path)/\(name)", nil, 0) == 0 else {
                throw BenchError("\(name) cannot be touched")
            }
        }
    }
}
