import CalotypeHTTPCache
import CalotypeHTTPTypes
import Foundation
import HTTPTypes
import HTTPTypesFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Fetches a URL twice through a cache, over URLSession as a client of HTTPTypes, and prints what the cache did.

final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

let configuration = URLSessionConfiguration.ephemeral
configuration.urlCache = nil
let session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
let transport = HTTPTypesTransport { request, body in
    var request = request
    // URLSession decodes content codings, and the cache stores the bytes that it gets.
    request.headerFields[.acceptEncoding] = "identity"
    let (data, response) =
        if let body { try await session.upload(for: request, from: body) } else { try await session.data(for: request) }
    return (response, HTTPBody(data))
}
let client = HTTPTypesClient(transport.cached(in: HTTPCache(rules: .private)))

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URLComponents(string: $0) }), let host = url.host
else {
    print("usage: CachedFetch URL")
    exit(2)
}
let request = HTTPTypes.HTTPRequest(
    method: .get, scheme: url.scheme, authority: host + (url.port.map { ":\($0)" } ?? ""),
    path: (url.path.isEmpty ? "/" : url.percentEncodedPath) + (url.percentEncodedQuery.map { "?\($0)" } ?? ""))
do {
    for _ in 1...2 {
        let (response, body) = try await client.send(request)
        let bytes = try await body.collect()
        let status = HTTPField.Name("Cache-Status").flatMap { response.headerFields[$0] }
        print(response.status.code, bytes.count, status ?? "")
    }
} catch {
    print(error)
    exit(1)
}
