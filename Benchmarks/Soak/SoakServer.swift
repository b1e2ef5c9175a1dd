import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation

/// `calotype serve`, which is killed and started again over the same store, and the record of its log.
final class SoakServer: Sendable {
    private static let token = "soak-token-of-at-least-32-characters"

    private struct State {
        var process: CalotypeProcess?
        var starts = 0
        var causes: [String: Int] = [:]
        var problems: [String: Int] = [:]
    }

    let url: String
    let folder: String
    let port: UInt16
    private let options: SoakOptions
    private let origin: String
    private let state = Locked(State())

    /// - Parameters:
    ///   - folder: The directory for local sources and, without a small disk, for the store.
    ///   - origin: The URL of the sources on the web.
    init(_ options: SoakOptions, folder: String, origin: String) throws {
        (self.options, self.folder, self.origin) = (options, folder, origin)
        port = try freePort()
        url = "http://127.0.0.1:\(port)"
        try Self.token.write(toFile: "\(folder)/token", atomically: true, encoding: .utf8)
        guard chmod("\(folder)/token", 0o600) == 0 else { throw BenchError("\(folder)/token cannot be protected") }
        try FileManager.default.createDirectory(atPath: "\(folder)/photos", withIntermediateDirectories: true)
    }

    /// The number of starts so far, which differs before and after a kill; `nil` while no server runs.
    var life: Int? { state.withLock { $0.process == nil ? nil : $0.starts } }
    var starts: Int { state.withLock { $0.starts } }
    /// The numbers of answers of 500 and above, by status and reason.
    var causes: [String: Int] { state.withLock { $0.causes } }
    /// The numbers of other lines of the log.
    var problems: [String: Int] { state.withLock { $0.problems } }
    /// Whether the server has ended although it was not killed.
    var hasEnded: Bool { state.withLock { $0.process.map { !$0.isRunning } ?? false } }

    func start() throws {
        var arguments = ["--verbose", "--store-size", "40MB"]
        if let memory = options.memory { arguments += ["--memory", memory] }
        if options.purges { arguments += ["--admin", "127.0.0.1:0", "--admin-token", "\(folder)/token"] }
        let process = try CalotypeProcess.serve(
            root: "\(folder)/photos", allowed: origin, store: "\(options.disk ?? folder)/store", port: port,
            options: arguments, onLine: { [weak self] in self?.note($0) })
        state.withLock { state in
            state.process = process
            state.starts += 1
        }
    }

    func end(by signal: Int32) {
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        process?.end(by: signal)
    }

    var purger: Purger? {
        let admin = state.withLock { $0.process?.adminURL }
        return admin.map { Purger(admin: $0, token: Self.token) }
    }

    /// Returns the memory of server and workers (PSS) in bytes and their number of descriptors, or `nil` while no server
    /// runs.
    func measure() -> (bytes: Double, descriptors: Int)? {
        guard let tree = state.withLock({ $0.process?.tree }), let bytes = try? tree.proportionalBytes(),
            let descriptors = try? tree.descriptors()
        else { return nil }
        return (bytes, descriptors)
    }

    private struct Line: Decodable {
        let status: Int
        let reason: String?
    }

    private func note(_ text: String) {
        let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
        state.withLock { state in
            guard let line else { return state.problems.add(text.withoutDetails) }
            if line.status >= 500 { state.causes.add("\(line.status)  \((line.reason ?? "").withoutDetails)") }
        }
    }
}

extension [String: Int] {
    /// Adds one to a key, or to the rest if there are many keys already.
    fileprivate mutating func add(_ key: String) {
        self[count < 100 || self[key] != nil ? key : "others", default: 0] += 1
    }
}

extension String {
    /// The text without URLs, paths and numbers, so that equal causes have equal texts.
    fileprivate var withoutDetails: String {
        let words = split(separator: " ").map { word in
            word.contains("/") ? "…" : String(word.map { $0.isNumber ? "N" : $0 })
        }
        return String(words.joined(separator: " ").prefix(120))
    }
}
