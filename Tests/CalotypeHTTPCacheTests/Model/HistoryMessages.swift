import CalotypeBase
import CalotypeHTTP
import Foundation

/// A request of a history, with everything that happened.
struct HistoryStep: CustomStringConvertible {
    let request: ModelRequest
    let start: Double
    let exchanges: [ModelExchange]
    let result: HistoryResult

    var description: String {
        let body = String(decoding: result.body, as: UTF8.self)
        return
            (["\(start) (\(ModelDate.text(start))) \(request.method) \(request.url) \(request.fields)"]
            + exchanges.map(line)
            + ["    answer \(result.code) \(result.fields) [\(result.status)] \(body) \(result.failure ?? "")"])
            .joined(separator: "\n")
    }

    private func line(_ exchange: ModelExchange) -> String {
        let reply = exchange.status.map { "\($0)" } ?? "\(exchange.reply)"
        return "    asked \(exchange.request.method) \(exchange.request.fields) at \(exchange.sent)\n"
            + "    at \(exchange.came) \(reply) \(exchange.fields) " + String(decoding: exchange.body, as: UTF8.self)
    }
}

/// What the client got.
struct HistoryResult {
    var code = 0
    var fields = ModelFields()
    var body: [UInt8] = []
    var isCutOff = false
    /// The error, if there was no response.
    var failure: String?
    /// Cache-Status.
    var status = ""

    init(failure: String) { self.failure = failure }

    init(_ response: HTTPResponse) {
        code = response.status
        fields = ModelFields(response.fields).without(["cache-status"])
        status = response.fields["Cache-Status"]?.string ?? ""
    }
}

/// A body whose connection breaks after its first chunk.
final class BrokenBody: HTTPBodySource {
    private let chunk: Locked<Data?>

    init(_ chunk: Data) { self.chunk = Locked(chunk) }

    func next() async throws(TransportError) -> Data? {
        let next = chunk.withLock { chunk in
            defer { chunk = nil }
            return chunk
        }
        guard let next else { throw TransportError(.connectionLost, "lost") }
        return next
    }
}

extension ModelRequest {
    init(_ request: HTTPRequest) {
        self.init(
            method: request.method.rawValue.string, url: request.url.absoluteString, fields: ModelFields(request.fields)
        )
    }
}

extension ModelFields {
    init(_ fields: HTTPFields) { self.init(fields.map { ($0.name.lowercased.string, $0.value.string) }) }
}

extension HTTPFields {
    init(_ fields: ModelFields) {
        self.init(fields.lines.map { Field(name: CaselessString($0.name), value: ByteString($0.value)) })
    }
}
