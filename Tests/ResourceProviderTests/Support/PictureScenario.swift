import CalotypeBase
import CalotypeTesting
import TestSupport

/// An identifier with more properties than the address: S3.1.
struct ImageID: Hashable, Sendable {
    var url: String
    var lastPathComponent: String { String(url.split(separator: "/").last ?? "") }
}

/// A stand-in for a decoded image: bytes decode if they begin with a 1.
struct Picture: Hashable, Sendable {
    var bytes: [UInt8]

    init(decoding bytes: [UInt8]) throws(DecodeError) {
        guard bytes.first == 1 else { throw DecodeError() }
        self.bytes = bytes
    }
}

/// A step of the scenario, as its parts record it.
enum Step: Hashable, Sendable {
    case network(String)
    case fileRead(String, hit: Bool)
    case fileStore(String)
    case memoryRead(hit: Bool)
    case memoryStore
}

/// A scripted network: each request gets the next answer, and the last answer repeats.
final class Network: Sendable {
    private let answers: Locked<[[UInt8]]>
    private let log: Log<Step>

    init(_ answers: [[UInt8]], log: Log<Step>) {
        self.answers = Locked(answers)
        self.log = log
    }

    func answer(_ url: String) throws(LoadError) -> [UInt8] {
        log.add(.network(url))
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
        guard let answer else { throw .broken }
        return answer
    }
}
