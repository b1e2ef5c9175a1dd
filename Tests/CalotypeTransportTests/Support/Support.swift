import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing

extension Transport {
    func get(_ url: URL, _ fields: HTTPFields = [:]) async throws(TransportError) -> HTTPResponse {
        try await send(HTTPRequest(url, fields: fields))
    }

    func body(_ url: URL) async throws(TransportError) -> Data {
        try await get(url).body.collect()
    }

    /// Returns the error of the whole exchange, body included; `nil` if it succeeds.
    func failure(_ request: HTTPRequest) async -> TransportError? {
        do throws(TransportError) {
            _ = try await send(request).body.collect()
            return nil
        } catch {
            return error
        }
    }

    func failure(_ url: URL) async -> TransportError? { await failure(HTTPRequest(url)) }
}

extension Result where Failure == TransportError {
    var error: TransportError? { if case .failure(let error) = self { error } else { nil } }
}

/// Starts a request in a new task, whose outcome is a value.
func start(_ transport: some Transport, _ request: HTTPRequest) -> Task<Result<Data, TransportError>, Never> {
    Task {
        do throws(TransportError) {
            return .success(try await transport.send(request).body.collect())
        } catch {
            return .failure(error)
        }
    }
}

/// Returns noise whose period does not divide the size of any buffer.
func noise(_ count: Int) -> Data {
    var bytes = Data(capacity: count + period.count)
    while bytes.count < count { bytes.append(period) }
    return bytes.prefix(count)
}

private let period: Data = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    let bytes = (0..<65_521).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state)
    }
    return Data(bytes)
}()

/// A server that answers with exactly the given bytes, even if they are not valid HTTP.
final class RawServer: Sendable {
    let url: URL
    private let listener: RawListener

    init(_ answer: String, thenResets: Bool = false) throws {
        listener = try RawListener(answer: Array(answer.utf8), resets: thenResets)
        url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
    }

    deinit { listener.stop() }
}
