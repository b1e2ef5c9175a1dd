import Calotype
import CalotypeBase
import CalotypeDemo
import CalotypeHTTP
import Foundation

/// The images of a server's JSON API.
///
/// The loader's HTTP cache stores the API's pages, so that pages seen once are available offline.
@MainActor
final class FeedSource: GallerySource {
    private let address: URL
    private let api: PhotoAPI
    private let feed: PhotoFeed
    private let pages: CachedPages

    init(_ address: URL, loader: ImageLoader) {
        self.address = address
        pages = CachedPages(loader: loader)
        api = PhotoAPI(address, transport: pages)
        feed = PhotoFeed(api)
    }

    var isAtEnd: Bool { feed.isAtEnd }
    var total: Int? { feed.totalItems }
    var isOffline: Bool { pages.failure?.isOfNetwork == true }

    func next(ahead: Int) async throws(GalleryProblem) -> [GalleryItem] {
        do throws(PhotoAPIError) {
            return try await feed.next(ahead: ahead).map { item(of: $0) }
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
        if let status = error.status {
            return GalleryProblem(.failed, GalleryTexts.serverAnswered(status), details: error.message)
        }
        guard error.code == .unreachable else {
            return GalleryProblem(.failed, GalleryTexts.serverUnusable, details: error.message)
        }
        guard let cause = pages.failure else {
            return GalleryProblem(.failed, GalleryTexts.serverUnreachable, details: error.message)
        }
        guard cause.isOfNetwork else {
            let isReached = [.tlsFailed, .malformedResponse, .redirectFailed].contains(cause.code)
            let sentence = isReached ? cause.localizedDescription : GalleryTexts.serverUnreachable
            return GalleryProblem(.failed, sentence, details: cause.message)
        }
        return GalleryProblem(.unreachable, FeedSource.sentence(cause, address), details: error.message)
    }

    /// Returns a sentence for people, which distinguishes a server that is not running from an unknown host.
    private static func sentence(_ error: ImageError, _ url: URL) -> String {
        let place = GalleryLocation.title(of: url)
        if error.code == .timedOut { return GalleryTexts.answersTooLate(place) }
        let isUnknown = (error.underlying as? TransportError)?.code == .cannotFindHost
        return isUnknown ? GalleryTexts.noSuchHost(url.host() ?? place) : GalleryTexts.nobodyAnswers(at: place)
    }
}

/// A transport that loads an API's pages from the network or, if the connection fails, from the loader's cache, even if
/// the cached page is stale.
private final class CachedPages: Transport {
    private let loader: ImageLoader
    private let latestFailure = Locked(ImageError?.none)

    init(loader: ImageLoader) {
        self.loader = loader
    }

    /// The failure of the latest request; `nil` if the server has answered it, with any status. A page of the cache
    /// may have replaced the answer.
    var failure: ImageError? { latestFailure.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do throws(ImageError) {
            let response = try await response(to: request, .revalidate)
            latestFailure.withLock { $0 = nil }
            return response
        } catch {
            latestFailure.withLock { $0 = error.status == nil ? error : nil }
            guard error.isOfNetwork else { return try failure(error, of: request) }
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
        let answer = try await loader.dataResponse(for: ImageRequest(source: .request(request), policy: policy))
        return HTTPResponse(
            url: answer.url ?? request.url, status: answer.status, body: HTTPBody(answer.data))
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
    /// Whether the connection failed or timed out, so that a cached page may replace the response.
    var isOfNetwork: Bool { code == .connectionFailed || code == .timedOut }
}
