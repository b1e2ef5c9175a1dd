import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

@testable import CalotypeServer

/// Objects in memory, in a store that fails and stalls on request.
final class MemoryObjectStore: ObjectStore {
    struct State {
        var objects: [ByteString: Data] = [:]
        /// The error of each call.
        var failure: TransportError?
        /// The names in the order of the calls.
        var reads: [ByteString] = []
        var writes: [ByteString] = []
        var removals: [ByteString] = []
        /// Names that each part of a list has besides those asked for.
        var strays: [ByteString] = []
        /// The maximum number of names in one part of a list.
        var listed = 1000
        /// The time of day that lists have.
        var date: Double?
    }

    /// The place at which each call waits. Open at first.
    let gate = Gate(isOpen: true)
    private let state = Locked(State())

    var now: State { state.withLock { $0 } }
    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func read(_ name: ByteString, limit: Int) async throws(TransportError) -> Data? {
        update { $0.reads.append(name) }
        let data = try await passing { $0.objects[name] }
        guard data.map({ $0.count <= limit }) ?? true else { throw TransportError.bodyTooLarge(limit: limit) }
        return data
    }

    func store(_ data: Data, as name: ByteString) async throws(TransportError) {
        try await passing { state in
            state.objects[name] = data
            state.writes.append(name)
        }
    }

    func remove(_ name: ByteString) async throws(TransportError) {
        try await passing { state in
            state.objects[name] = nil
            state.removals.append(name)
        }
    }

    func list(_ prefix: ByteString, after last: ByteString?) async throws(TransportError) -> ObjectList {
        try await passing { state in
            let all = state.objects.keys.filter { name in name.hasPrefix(prefix) && last.map { $0 < name } ?? true }
            let names = Array(all.sorted().prefix(state.listed))
            let next = all.count > names.count ? names.last : nil
            return ObjectList(names: state.strays + names, next: next, date: state.date)
        }
    }

    private func passing<Value>(_ body: (inout State) -> Value) async throws(TransportError) -> Value {
        await gate.wait()
        guard !Task.isCancelled else { throw TransportError.cancelled }
        return try state.withLock { state throws(TransportError) in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}
