import CalotypeBase
import CalotypeHTTP
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session delegate that forwards each event to the exchange of its task.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked([Int: SessionExchange]())

    func add(_ exchange: SessionExchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { exchange(of: dataTask)?.take(ResponseHead(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if !data.isEmpty { exchange(of: dataTask)?.take(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Do not follow the redirect: it is the response, and a layer above follows it.
        completionHandler(nil)
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}

extension ResponseHead {
    fileprivate init(_ response: HTTPURLResponse) {
        version = "1.1"
        status = response.statusCode
        let lines = response.allHeaderFields.compactMap { name, value in
            (name as? String).map {
                HTTPFields.Field(name: CaselessString($0), value: ByteString(String(describing: value)))
            }
        }
        // A dictionary has no order; sorting at least makes the result deterministic.
        fields = HTTPFields(lines.sorted { $0.name < $1.name })
        removeUndoneCoding()
    }

    /// Removes the fields that describe encoded bytes. The session decodes every body but keeps these fields, so that a
    /// layer above would decode the body again.
    private mutating func removeUndoneCoding() {
        guard let coding = fields["Content-Encoding"] else { return }
        let undone: [CaselessString] = ["gzip", "x-gzip", "deflate", "br", "identity"]
        guard coding.split(separator: 0x2C).allSatisfy({ undone.contains(CaselessString($0.trimmed)) }) else { return }
        fields["Content-Encoding"] = nil
        fields["Content-Length"] = nil
    }
}
