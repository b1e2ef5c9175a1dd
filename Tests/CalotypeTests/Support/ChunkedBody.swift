import CalotypeConcurrency
import CalotypeHTTP
import CalotypeTesting
import Foundation

extension HTTPBody {
    /// A body in pieces, each of which waits at the gate.
    static func chunks(of data: Data, size: Int, gate: Gate) -> HTTPBody {
        HTTPBody(GatedBody(data, size, gate))
    }
}

private final class GatedBody: HTTPBodySource {
    private let rest: Locked<Data>
    private let size: Int
    private let gate: Gate

    init(_ data: Data, _ size: Int, _ gate: Gate) {
        rest = Locked(data)
        self.size = size
        self.gate = gate
    }

    func next() async throws(TransportError) -> Data? {
        if rest.withLock({ $0.isEmpty }) { return nil }
        await gate.wait()
        if Task.isCancelled { throw .cancelled }
        return rest.withLock { rest in
            defer { rest = Data(rest.dropFirst(size)) }
            return Data(rest.prefix(size))
        }
    }
}

/// Names in the order in which they were added.
final class Names: Sendable {
    private let names = Locked([String]())

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
