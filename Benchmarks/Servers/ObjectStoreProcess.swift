import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation

/// An object store in a child process, with the buckets `photos`, for sources, and `results`.
final class ObjectStoreProcess {
    /// The variables with the keys of its owner. It checks no signature, so that any will do.
    static let keys = [
        "AWS_ACCESS_KEY_ID": "AKIABENCHMARK", "AWS_SECRET_ACCESS_KEY": "a-secret-of-benchmarks",
        "AWS_REGION": "us-east-1",
    ]

    let url: String
    private let port: UInt16
    private let directory: String?
    private let transport = CurlTransport(options: CurlTransport.Options())
    private var child: ChildProcess

    /// - Parameter directory: A directory for the objects, so that they outlive a kill. If `nil`, they are in memory.
    init(directory: String? = nil) throws {
        port = try freePort()
        self.directory = directory
        child = try ChildProcess(.objects(port: port, directory: directory))
        url = try child.readLine()
    }

    deinit { child.send(SIGCONT) }

    /// Keeps an object. Its name begins with the bucket; "photos/a/*" is for all names in the folder.
    func put(_ body: Data, as name: String, lifetime: Int = 86_400) async throws {
        guard let place = URL(string: "\(url)/\(name)") else { throw BenchError("\(name) is no name of an object") }
        var request = HTTPRequest(place, method: .put)
        request.fields = ["Content-Type": "image/jpeg", "Cache-Control": "max-age=\(lifetime)"]
        request.body = body
        let response = try await transport.send(request)
        _ = try await response.body.collect()
        guard response.status == 200 else { throw BenchError("\(response.status) for \(name)") }
    }

    func counts(of bucket: String) async throws -> ObjectServer.Counts {
        guard let place = URL(string: "\(url)/.counts/\(bucket)") else { throw BenchError("\(bucket) is no bucket") }
        let response = try await transport.send(HTTPRequest(place))
        return try JSONDecoder().decode(ObjectServer.Counts.self, from: try await response.body.collect())
    }

    /// Waits until nodes have written as many results, for 30 seconds at most.
    func waitForResults(_ count: Int) async throws {
        var written = 0
        for _ in 0..<600 {
            written = try await counts(of: "results").writes
            if written >= count { return }
            // The store is another process, and nodes write to it behind their answers.
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchError("\(written) of \(count) results arrived in the store")
    }

    /// Stops answering, without closing any connection.
    func pause() { child.send(SIGSTOP) }
    func resume() { child.send(SIGCONT) }

    /// Kills the process, and starts another one with the same address.
    func restart() throws {
        child.endAtOnce()
        child = try ChildProcess(.objects(port: port, directory: directory))
        _ = try child.readLine()
    }

    /// The options of a node that loads sources from the bucket.
    var sources: [String] { ["--allow-source", "s3://photos"] + place(of: "photos") }

    /// The options of a node that keeps results in the bucket.
    func results(_ prefix: String) -> [String] { place(of: "results") + ["--far", "s3://results/\(prefix)"] }

    private func place(of bucket: String) -> [String] { ["--s3", "\(bucket) endpoint=\(url) style=path"] }
}
