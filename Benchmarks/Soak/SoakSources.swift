import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation

/// The sources of a soak and their versions, which change while the server runs.
final class SoakSources: Sendable {
    /// The sources on the web: in folders, so that a prefix covers some of them.
    static let web = 0..<200
    /// The sources in files.
    static let local = 900..<920
    private static let folders = 8

    private struct State {
        var current: [Int: Int] = [:]
        /// The oldest version that an answer may show after the purges so far.
        var oldest: [Int: Int] = [:]
        var files: [Int: (version: Int, data: Data)] = [:]
    }

    private let state = Locked(State())

    static func folder(of source: Int) -> Int { source % folders }

    /// The path of a source on the web, below the origin's root.
    static func path(of source: Int) -> String { "/img/\(folder(of: source))/\(source).\(format(of: source))" }

    private static func format(of source: Int) -> String { ["jpg", "png", "webp"][source % 3] }

    func current(_ source: Int) -> Int { state.withLock { $0.current[source] ?? 0 } }
    func oldest(_ source: Int) -> Int { state.withLock { $0.oldest[source] ?? 0 } }

    /// Replaces a source by a new version.
    func change(_ source: Int) { state.withLock { $0.current[source, default: 0] += 1 } }

    /// Returns the versions of the sources in a folder, or of all sources on the web.
    func versions(inFolder folder: Int? = nil) -> [Int: Int] {
        let sources = Self.web.filter { folder == nil || Self.folder(of: $0) == folder }
        return state.withLock { state in
            Dictionary(uniqueKeysWithValues: sources.map { ($0, state.current[$0] ?? 0) })
        }
    }

    /// Notes that no answer to a later request may show an older version.
    func purged(_ versions: [Int: Int]) {
        state.withLock { state in
            for (source, version) in versions { state.oldest[source] = max(state.oldest[source] ?? 0, version) }
        }
    }

    /// Returns the file of a source's current version.
    func file(_ source: Int) throws -> (version: Int, data: Data) {
        let version = current(source)
        let known = state.withLock { $0.files[source] }
        if let known, known.version == version { return known }
        // Some JPEGs have 12 megapixels.
        let size = source % 60 == 27 ? (width: 4000, height: 3000) : (width: 800, height: 600)
        let bitmap = try ImageMark.of(source: source, version: version).drawn(width: size.width, height: size.height)
        let data: Data =
            switch Self.format(of: source) {
            case "jpg": try bitmap.encoded(as: .jpeg(quality: 85))
            case "png": try bitmap.encoded(as: .png)
            default: try bitmap.encoded(as: .webp(quality: 85))
            }
        state.withLock { $0.files[source] = (version, data) }
        return (version, data)
    }

    /// The name of a source below the root of local files.
    static func name(of source: Int) -> String { "\(source).\(format(of: source))" }

    /// Writes a source in a file, which is never incomplete.
    func write(_ source: Int, in folder: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(Self.name(of: source))")
        try file(source).data.write(to: url, options: .atomic)
    }
}
