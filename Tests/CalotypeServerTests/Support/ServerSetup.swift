import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTransport
import Foundation

@testable import CalotypeServer

/// The options of a server and its surroundings. Each property of a part is one of the setup's, too.
@dynamicMemberLookup
struct ServerSetup: Sendable {
    var options: RenditionServer.Options
    var surroundings = Surroundings()

    init(root: String) { options = RenditionServer.Options(root: root) }

    subscript<Value>(dynamicMember path: WritableKeyPath<RenditionServer.Options, Value>) -> Value {
        get { options[keyPath: path] }
        set { options[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<SourceOptions, Value>) -> Value {
        get { options.sources[keyPath: path] }
        set { options.sources[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<MakingOptions, Value>) -> Value {
        get { options.making[keyPath: path] }
        set { options.making[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<PurgeOptions, Value>) -> Value {
        get { options.purging[keyPath: path] }
        set { options.purging[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<ServingOptions, Value>) -> Value {
        get { options.serving[keyPath: path] }
        set { options.serving[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Surroundings, Value>) -> Value {
        get { surroundings[keyPath: path] }
        set { surroundings[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<ServerClocks, Value>) -> Value {
        get { surroundings.clocks[keyPath: path] }
        set { surroundings.clocks[keyPath: path] = newValue }
    }

    // MARK: Properties whose names alone do not name their part

    var store: String? {
        get { options.stores.folder }
        set { options.stores.folder = newValue }
    }

    var storeSize: Int {
        get { options.stores.size }
        set { options.stores.size = newValue }
    }

    var memoryLimit: Int {
        get { options.memory.limit }
        set { options.memory.limit = newValue }
    }

    var processors: Int {
        get { options.memory.processors }
        set { options.memory.processors = newValue }
    }

    var sourceFields: [(prefix: URLPrefix, fields: HTTPFields)] {
        get { options.sources.fields }
        set { options.sources.fields = newValue }
    }

    var maxSourceBytes: Int {
        get { options.sources.maxBytes }
        set { options.sources.maxBytes = newValue }
    }

    var fetchDeadline: Duration {
        get { options.sources.deadline }
        set { options.sources.deadline = newValue }
    }

    var requestDeadline: Duration {
        get { options.making.deadline }
        set { options.making.deadline = newValue }
    }

    var log: (@Sendable (AnswerRecord) -> Void)? {
        get { options.log.add }
        set { options.log.add = newValue }
    }

    var logLevel: LogOptions.Level {
        get { options.log.level }
        set { options.log.level = newValue }
    }

    // MARK: What follows from the options

    var shares: MemoryShares { options.shares }
    var basis: ServerBasis { ServerBasis(options, surroundings.clocks) }
    var loader: ImageLoaderOptions { basis.loading }
    var sourceLimit: Int { loader.bodyLimit }

    func check(_ target: ByteString) throws { try options.check(target) }

    func explanation(of target: ByteString) async throws -> [String] {
        try await options.explanation(of: target, surroundings.clocks)
    }
}

extension RenditionServer {
    convenience init(_ setup: ServerSetup) throws { try self.init(setup.options, in: setup.surroundings) }

    func reload(_ setup: ServerSetup) { reload(setup.options) }

    var disks: [DiskStore] { stores.all.map(\.disk) }
    var work: SharedWork { sources.work }
}

extension ServingRules {
    /// The rules of a server with the default options.
    convenience init() {
        let options = RenditionServer.Options(root: "")
        self.init(options.serving, options.sources, options.log, wallClock: .system)
    }
}
