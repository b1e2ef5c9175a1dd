import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A temporary folder, removed with this object.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ data: Data, to name: String) throws {
        let url = URL(fileURLWithPath: path).appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }
}

extension Data {
    static func body(of url: URL) async throws -> Data {
        try await CurlTransport().send(HTTPRequest(url)).body.collect()
    }

    static func status(of url: URL) async throws -> Int {
        try await CurlTransport().send(HTTPRequest(url)).status
    }
}
