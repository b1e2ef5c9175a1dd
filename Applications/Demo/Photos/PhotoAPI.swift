package import CalotypeHTTP
import CalotypeTransport
package import Foundation

/// A client of a JSON API for photos: `/photos?page=2` is a page, `/photos/17` a single photo.
package struct PhotoAPI: Sendable {
    /// The address of `/photos`.
    package let address: URL

    private let transport: any Transport

    /// The maximum size of a response's body, in bytes. Even a page of a thousand photos is smaller.
    private static let bodyLimit = 4 << 20

    /// - Parameters:
    ///   - address: The address of the API, with or without `/photos` at its end.
    ///   - transport: The transport of the requests. By default, libcurl or URLSession.
    package init(_ address: URL, transport: (any Transport)? = nil) {
        self.address = address.lastPathComponent == "photos" ? address : address.appending(path: "photos")
        self.transport = transport ?? SystemTransport().withStandardLayers(retry: .twice, bodyLimit: Self.bodyLimit)
    }

    /// - Parameter page: The page's number, from 1.
    package func page(_ page: Int) async throws(PhotoAPIError) -> PhotoPage {
        let url = address.appending(queryItems: [URLQueryItem(name: "page", value: "\(page)")])
        var result: PhotoPage = try await decoded(from: url)
        result.photos = result.photos.map { $0.resolved(against: url) }
        return result
    }

    /// Returns one photo, with the address of its large image.
    package func photo(_ id: String) async throws(PhotoAPIError) -> PhotoItem {
        let url = address.appending(path: id)
        let item: PhotoItem = try await decoded(from: url)
        return item.resolved(against: url)
    }

    // A page may have 4 MB: decode it off the caller's actor, which may be the main actor.
    @concurrent
    private func decoded<Value: Decodable & Sendable>(from url: URL) async throws(PhotoAPIError) -> Value {
        let data = try await data(from: url)
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            if data.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
                throw PhotoAPIError(.webPage, "\(url.place) answered with a web page, not with photos")
            }
            throw PhotoAPIError(.otherShape, "\(url.place) answered with something other than photos")
        }
    }

    private func data(from url: URL) async throws(PhotoAPIError) -> Data {
        var request = HTTPRequest(url, fields: ["Accept": "application/json"])
        request.timeouts.total = .seconds(20)
        do {
            let response = try await transport.send(request)
            guard (200..<300).contains(response.status) else {
                throw PhotoAPIError(
                    .badStatus, "\(url.place) answered \(response.status)", status: response.status)
            }
            return try await response.body.collect(limit: PhotoAPI.bodyLimit)
        } catch let error as PhotoAPIError {
            throw error
        } catch let error as TransportError where error.code == .bodyTooLarge {
            throw PhotoAPIError(.tooLarge, "\(url.place) answered with more than a page of photos")
        } catch {
            throw PhotoAPIError(.unreachable, "\(url.place) cannot be reached")
        }
    }
}

extension URL {
    /// The host and port, such as "example.org:8080", to show in messages. If the URL has no host, the whole URL.
    var place: String {
        guard let host = host() else { return withoutUserInfo.absoluteString }
        return port.map { "\(host):\($0)" } ?? host
    }
}
