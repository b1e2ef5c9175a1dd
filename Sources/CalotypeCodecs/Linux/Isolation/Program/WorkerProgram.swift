import CSandbox
import Foundation
import Glibc

/// The executable of workers, and the environment in which it runs.
struct WorkerProgram: Sendable {
    /// The name of the executable.
    var name = Self.name
    /// The path, or `nil` to look for the executable.
    var path: String?
    /// Environment variables in place of this process's.
    var variables: [String: String] = [:]
    /// The decoders that the executable has, or is to have.
    var decoders = StandardDecoder.built

    static let name = "calotype-decoder"

    /// The program that decodes the formats that this build lacks, where it is installed. It is `calotype-decoder` of a build
    /// with the traits HEIF, JPEGXL, SVG and TIFF under another name, and has those formats alone.
    static var formats: WorkerProgram {
        WorkerProgram(name: "\(name)-formats", decoders: StandardDecoder.separate)
    }

    /// Whether there is an executable.
    var isInstalled: Bool { (try? executable()) != nil }

    /// Returns the path of the executable.
    ///
    /// A build places it next to the programs of this package and of packages that depend on it. An installation places
    /// it in `libexec/calotype`, because no user starts it.
    func executable() throws(WorkerFault) -> String {
        if let path {
            guard access(path, X_OK) == 0 else { throw WorkerFault(.start, "\(path) is missing or not executable") }
            return path
        }
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [
            folder.appending(path: name).path,
            folder.deletingLastPathComponent().appending(path: "libexec/calotype/\(name)").path,
        ]
        if let found = places.first(where: { access($0, X_OK) == 0 }) { return found }
        throw WorkerFault(
            .start, "\(name) is missing or not executable: it belongs to this program, as \(places[0])")
    }

    /// The arguments after the path: the version, which must be equal in both programs, and this process's ID.
    var arguments: [String] { [Self.version(of: decoders), "\(getpid())"] }

    /// Returns what must be equal in program and worker: versions of messages and decoded pixels, and the numbers of all
    /// decoders.
    static func version(of decoders: [StandardDecoder]) -> String {
        "\(CALOTYPE_MESSAGES_VERSION).\(codecVersion)."
            + decoders.map { "\($0.number)" }.sorted().joined(separator: "-")
    }

    /// The environment of a worker: this program's variables for libraries, folders, fonts, languages, sanitizers and
    /// the content of uncleared memory, and fixed settings.
    var environment: [String] {
        let kept = [
            "LD_LIBRARY_PATH", "HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME",
            "FONTCONFIG_FILE", "FONTCONFIG_PATH", "LANG", "LC_ALL", "LC_CTYPE", "ASAN_OPTIONS", "TSAN_OPTIONS",
            "MALLOC_PERTURB_",
        ]
        let own = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        return kept.compactMap { name in own[name].map { "\(name)=\($0)" } } + [
            // Use one heap, and one thread in Rust libraries: the worker decodes one image at a time.
            "MALLOC_ARENA_MAX=1", "RAYON_NUM_THREADS=1",
            // End at once after a crash, without a backtrace.
            "SWIFT_BACKTRACE=enable=no",
            // Do not load GLib's modules that connect to the services of the user's session.
            "GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory",
        ]
    }
}
