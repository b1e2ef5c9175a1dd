import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// An object store with the requests of S3. It checks no signatures, and counts its requests.
///
/// An object whose key ends with `/*` stands for all keys in its folder that have no object. Keys are ASCII.
final class ObjectServer: Sendable {
    /// The numbers of requests for one bucket.
    struct Counts: Codable {
        var reads = 0
        /// The number of reads of an object that is there.
        var found = 0
        var writes = 0
        var removals = 0
        var lists = 0
    }

    private struct Object {
        var body: Data
        var fields: HTTPFields
        var tag: ByteString
    }

    private struct State {
        var objects: [String: Object] = [:]
        var counts: [String: Counts] = [:]
        var writes = 0
    }

    private let state = Locked(State())
    private let folder: String?

    /// - Parameter folder: A directory for the objects, so that they outlive this process. A process that is killed
    ///   while it writes leaves a part of an object there. If `nil`, the objects are in memory alone.
    private init(folder: String?) throws {
        self.folder = folder
        guard let folder else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            guard let key = name.removingPercentEncoding else { continue }
            keep(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")), [:], as: key)
        }
    }

    private func file(of key: String) -> URL? {
        folder.map { URL(fileURLWithPath: "\($0)/\(key.replacing("%", with: "%25").replacing("/", with: "%2F"))") }
    }

    /// Prints its URL, and returns when standard input ends, as it does when the parent process ends for any reason.
    static func serve(folder: String?, port: UInt16) throws {
        let server = try ObjectServer(folder: folder)
        var options = Listener.Options(host: "127.0.0.1", port: Int(port), threads: 2)
        options.timeouts = .none
        let listener = try Listener(options: options, answer: { .now(server.answer(to: $0)) })
        FileHandle.standardOutput.write(Data("\(listener.url.absoluteString)\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        listener.stop()
    }

    private func answer(to request: ListenerRequest) -> ListenerResponse {
        let name = String((request.path.removingPercentEncoding ?? "").dropFirst())
        let bucket = String(name.prefix { $0 != "/" })
        if bucket == ".counts" { return counts(of: String(name.dropFirst(bucket.count + 1))) }
        switch request.method {
        case .put: return write(request, name, bucket)
        case .delete: return remove(name, bucket)
        case .get where name.count <= bucket.count + 1: return list(request, bucket)
        case .get: return read(name, bucket, unless: request.fields["If-None-Match"])
        default: return ListenerResponse(status: 405)
        }
    }

    private func counts(of bucket: String) -> ListenerResponse {
        let counts = state.withLock { $0.counts[bucket] ?? Counts() }
        return ListenerResponse(body: (try? JSONEncoder().encode(counts)) ?? Data())
    }

    private func read(_ name: String, _ bucket: String, unless tag: ByteString?) -> ListenerResponse {
        let object = state.withLock { state in
            let object = state.objects[name] ?? state.objects["\(name.folder)/*"]
            state.counts[bucket, default: Counts()].reads += 1
            if object != nil { state.counts[bucket, default: Counts()].found += 1 }
            return object
        }
        guard let object else {
            let report = "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code></Error>"
            return ListenerResponse(
                status: 404, fields: ["Content-Type": "application/xml"], body: Data(report.utf8))
        }
        if tag == object.tag { return ListenerResponse(status: 304, fields: object.fields) }
        return ListenerResponse(fields: object.fields, body: object.body)
    }

    private func write(_ request: ListenerRequest, _ name: String, _ bucket: String) -> ListenerResponse {
        // Not atomic: see `init`.
        if let file = file(of: name) { try? request.body.write(to: file) }
        var fields: HTTPFields = [:]
        for field in ["Content-Type", "Cache-Control"] as [CaselessString] { fields[field] = request.fields[field] }
        keep(request.body, fields, as: name)
        state.withLock { $0.counts[bucket, default: Counts()].writes += 1 }
        return ListenerResponse()
    }

    private func keep(_ body: Data, _ fields: HTTPFields, as name: String) {
        state.withLock { state in
            state.writes += 1
            var object = Object(body: body, fields: fields, tag: "\"\(state.writes)-\(body.count)\"")
            object.fields["ETag"] = object.tag
            state.objects[name] = object
        }
    }

    private func remove(_ name: String, _ bucket: String) -> ListenerResponse {
        if let file = file(of: name) { try? FileManager.default.removeItem(at: file) }
        state.withLock { state in
            state.objects[name] = nil
            state.counts[bucket, default: Counts()].removals += 1
        }
        return ListenerResponse(status: 204)
    }

    private func list(_ request: ListenerRequest, _ bucket: String) -> ListenerResponse {
        let items = URLComponents(string: request.target)?.queryItems ?? []
        func name(_ item: String) -> String { "\(bucket)/\(items.first { $0.name == item }?.value ?? "")" }
        let (prefix, after) = (name("prefix"), name("start-after"))
        let names = state.withLock { state in
            state.counts[bucket, default: Counts()].lists += 1
            return state.objects.keys.filter { $0.hasPrefix(prefix) && $0 > after }
        }
        let page = names.sorted().prefix(1000)
        let keys = page.map { "<Contents><Key>\($0.dropFirst(bucket.count + 1))</Key></Contents>" }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult><IsTruncated>\(page.count < names.count)</IsTruncated>\(keys.joined())</ListBucketResult>
            """
        return ListenerResponse(fields: ["Content-Type": "application/xml"], body: Data(text.utf8))
    }
}

extension String {
    /// The text before the last slash.
    fileprivate var folder: Substring { self[..<(lastIndex(of: "/") ?? endIndex)] }
}
