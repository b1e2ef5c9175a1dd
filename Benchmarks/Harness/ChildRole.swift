import Foundation

/// The role of this executable as a child process, for parts of benchmarks that need a separate process.
enum ChildRole {
    /// Serves on loopback and prints its URL, until standard input ends.
    case origin(OriginKind)
    /// Serves as an object store on loopback and prints its URL, until standard input ends. The objects are in a directory,
    /// if there is one, and otherwise in memory.
    case objects(port: UInt16, directory: String?)
    /// Loads the photograph from many URLs, through a disk store if there is a directory, and prints the peak memory.
    case loader(origin: String, count: Int, directory: String?)
    /// Plays a drawn animation and prints the memory used beyond its file, in bytes, and the number of skipped frames.
    case animation(frames: Int)
    /// Measures in a window and prints pairs of figures. Its main thread belongs to GTK.
    case window(WindowSubject, isQuick: Bool)

    init?(_ arguments: [String]) {
        switch arguments.first {
        case "--origin":
            guard arguments.count == 2, let kind = OriginKind(rawValue: arguments[1]) else { return nil }
            self = .origin(kind)
        case "--objects":
            guard arguments.count >= 2, let port = UInt16(arguments[1]) else { return nil }
            self = .objects(port: port, directory: arguments.count > 2 ? arguments[2] : nil)
        case "--loader":
            guard arguments.count >= 3, let count = Int(arguments[2]) else { return nil }
            self = .loader(origin: arguments[1], count: count, directory: arguments.count > 3 ? arguments[3] : nil)
        case "--animation":
            guard arguments.count == 2, let frames = Int(arguments[1]) else { return nil }
            self = .animation(frames: frames)
        case "--window":
            guard arguments.count == 3, let subject = WindowSubject(rawValue: arguments[1]) else { return nil }
            self = .window(subject, isQuick: arguments[2] == "quick")
        default: return nil
        }
    }

    var arguments: [String] {
        switch self {
        case .origin(let kind): ["--origin", kind.rawValue]
        case .objects(let port, let directory): ["--objects", "\(port)"] + (directory.map { [$0] } ?? [])
        case .loader(let origin, let count, let directory):
            ["--loader", origin, "\(count)"] + (directory.map { [$0] } ?? [])
        case .animation(let frames): ["--animation", "\(frames)"]
        case .window(let subject, let isQuick): ["--window", subject.rawValue, isQuick ? "quick" : "full"]
        }
    }

    func play() async throws {
        switch self {
        case .origin(let kind): try Origin.serve(kind)
        case .objects(let port, let directory): try ObjectServer.serve(folder: directory, port: port)
        case .loader(let origin, let count, let directory):
            try await PeakMemory.load(count, from: origin, directory: directory)
        case .animation(let frames): try await AnimationPlaying.play(frames: frames)
        case .window(let subject, let isQuick): await subject.measure(isQuick: isQuick)
        }
    }
}
