import CalotypeBase
import CalotypeHTTP
import Foundation

/// A transport for `file:` URLs: a regular file becomes the body of a 200 with its length and date, streamed in pieces.
///
/// A missing file fails with `fileNotFound`; an unreadable one, a directory, a pipe or a device with `fileUnreadable`;
/// a host other than the local machine with `malformedURL`. Methods other than GET and HEAD get a 405. Files are opened
/// and read on the threads of a pool, never on the caller's thread.
struct FileTransport: Transport {
    static let pieceSize = 256 << 10

    private let pool: BlockingPool

    /// - Parameter pool: The threads for reading. The default is a new pool of two.
    init(pool: BlockingPool = BlockingPool(threads: 2)) {
        self.pool = pool
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let path = try path(of: request.url)
        guard request.method == .get || request.method == .head else {
            return HTTPResponse(url: request.url, status: 405, fields: ["Allow": "GET, HEAD"], version: "")
        }
        if request.allowsLazyBody {
            let facts = try await pool.run { () throws(TransportError) in try OpenFile.look(at: path) }
            return response(to: request, facts, HTTPBody(opening: { [pool] in LazyFileBody(path, facts, pool: pool) }))
        }
        let file = try await pool.run { () throws(TransportError) in try OpenFile(path) }
        return response(to: request, file.facts, HTTPBody(FileBody(file, pool: pool)))
    }

    private func response(to request: HTTPRequest, _ facts: FileFacts, _ body: HTTPBody) -> HTTPResponse {
        let fields: HTTPFields = [
            "Content-Length": "\(facts.size)", "Last-Modified": HTTPDate.format(Double(facts.modified) / 1e9),
        ]
        var response = HTTPResponse(url: request.url, status: 200, fields: fields, version: "")
        if request.method != .head { response.body = body }
        response.identity = facts.identity
        return response
    }

    private func path(of url: URL) throws(TransportError) -> LocalPath {
        guard url.caselessScheme == "file" else {
            throw .unsupportedScheme(url.scheme ?? "")
        }
        let host = url.host ?? ""
        guard host.isEmpty || CaselessString(host) == "localhost" else {
            throw TransportError(.malformedURL, "the file is on another machine: \(host)")
        }
        guard let path = LocalPath(fileURL: url) else {
            throw TransportError(.malformedURL, "the URL names no file")
        }
        return path
    }
}

private final class FileBody: HTTPBodySource {
    private let file: OpenFile
    private let pool: BlockingPool

    init(_ file: OpenFile, pool: BlockingPool) {
        self.file = file
        self.pool = pool
    }

    func next() async throws(TransportError) -> Data? {
        let file = file
        return try await pool.run { () throws(TransportError) in try file.read(atMost: FileTransport.pieceSize) }
    }
}
