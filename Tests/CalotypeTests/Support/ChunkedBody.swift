import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

extension HTTPBody {
    /// Returns a body in pieces, each of which waits at the gate.
    static func chunks(of data: Data, size: Int, gate: Gate) -> HTTPBody {
        HTTPBody(GatedBody(data, size, gate))
    }

    /// Returns a body whose first byte is available, and whose rest waits at the gate.
    static func begun(_ data: Data, gate: Gate) -> HTTPBody {
        HTTPBody(GatedBody(data, data.count, gate, first: 1))
    }
}

private final class GatedBody: HTTPBodySource {
    private let rest: Locked<Data>
    private let size: Int
    private let gate: Gate

    private let first: Locked<Int?>

    init(_ data: Data, _ size: Int, _ gate: Gate, first: Int? = nil) {
        self.first = Locked(first)
        rest = Locked(data)
        self.size = size
        self.gate = gate
    }

    func next() async throws(TransportError) -> Data? {
        if rest.withLock({ $0.isEmpty }) { return nil }
        if let first = first.withLock({ $0.take() }) { return take(first) }
        await gate.wait()
        if Task.isCancelled { throw .cancelled }
        return take(size)
    }

    private func take(_ count: Int) -> Data {
        rest.withLock { rest in
            defer { rest = Data(rest.dropFirst(count)) }
            return Data(rest.prefix(count))
        }
    }
}

/// A list of names in the order of their addition.
final class Names: Sendable {
    private let names = Locked([String]())

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
