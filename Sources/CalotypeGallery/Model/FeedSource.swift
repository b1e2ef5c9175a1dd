import Calotype
import CalotypeConcurrency
import CalotypeDemo
import CalotypeHTTP
import Foundation

/// The images of a server's JSON API.
///
/// Its pages go through the loader's HTTP cache, so that those which were seen before can be seen offline.
@MainActor
final class FeedSource: GallerySource {
    private let api: PhotoAPI
    private let feed: PhotoFeed
    private let pages: CachedPages

    init(_ address: URL, loader: ImageLoader) {
        pages = CachedPages(loader: loader)
        api = PhotoAPI(address, transport: pages)
        feed = PhotoFeed(api)
    }

    var isAtEnd: Bool { feed.isAtEnd }
    var total: Int? { feed.totalItems }
    var isOffline: Bool { pages.isOffline }

    func next() async throws(GalleryProblem) -> [GalleryItem] {
        do throws(PhotoAPIError) {
            return try await feed.next().map { item(of: $0) }
        } catch {
            throw problem(error)
        }
    }

    private func item(of photo: PhotoItem) -> GalleryItem {
        var item = GalleryItem(id: photo.id, name: photo.name, url: photo.imageURL)
        item.placeholder = photo.thumbHash.map { .thumbHash($0) }
        item.findLarge = { [api] in try? await api.photo(photo.id).imageURL }
        return item
    }

    private func problem(_ error: PhotoAPIError) -> GalleryProblem {
        if isOffline { return GalleryProblem(.offline, GalleryTexts.offlineSentence, details: error.message) }
        let isReachable = error.code != .unreachable
        let sentence = isReachable ? GalleryTexts.serverUnusable : GalleryTexts.serverUnreachable
        return GalleryProblem(.failed, sentence, details: error.message)
    }
}

/// Pages of an API by way of a loader: from the network, or if that cannot be reached, from the loader's cache at any age.
private final class CachedPages: Transport {
    private let loader: ImageLoader
    private let offline = Locked(false)

    init(loader: ImageLoader) {
        self.loader = loader
    }

    /// A Boolean value indicating whether the latest request could not reach its server.
    var isOffline: Bool { offline.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do throws(ImageError) {
            let response = try await response(to: request, .revalidate)
            offline.withLock { $0 = false }
            return response
        } catch {
            guard error.isOfNetwork else {
                offline.withLock { $0 = false }
                return try failure(error, of: request)
            }
            offline.withLock { $0 = true }
        }
        do throws(ImageError) {
            return try await response(to: request, .returnCacheDontLoad)
        } catch {
            return try failure(error, of: request)
        }
    }

    private func response(
        to request: HTTPRequest, _ policy: CachePolicy
    ) async throws(ImageError) -> HTTPResponse {
        let answer = try await loader.data(for: ImageRequest(source: .request(request), policy: policy))
        return HTTPResponse(
            url: URL(string: answer.url) ?? request.url, status: answer.status, body: HTTPBody(answer.data))
    }

    private func failure(_ error: ImageError, of request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        guard let status = error.status else {
            throw TransportError(
                error.code == .cancelled ? .cancelled : .cannotConnect, error.message, underlying: error)
        }
        return HTTPResponse(url: request.url, status: status)
    }
}

extension ImageError {
    /// A Boolean value indicating whether no server was reached.
    var isOfNetwork: Bool { code == .connectionFailed || code == .timedOut }
}
