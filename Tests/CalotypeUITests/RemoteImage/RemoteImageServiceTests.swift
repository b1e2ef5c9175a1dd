import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeUI

/// A SwiftUI view's use of a service: it draws a state, and then presents its request.
@MainActor
@Suite struct RemoteImageServiceTests {
    private let room = Room()
    private let service: any RemoteImageService

    init() {
        service = ImageModel(room.options, isOnScreen: false)
    }

    @Test func `the first frame has the image that is in memory`() async throws {
        _ = try await room.loader.fetch(.photo(1))
        #expect(service.state.isLoading)
        #expect(service.state(of: .photo(1), preview: nil).image?.wasCached == true)
    }

    @Test func `the first frame never has the image of the request before`() async throws {
        service.present(.photo(1), preview: nil)
        await waitUntil { service.state.image != nil }
        #expect(service.state(of: .photo(2), preview: nil) == .loading())
    }

    @Test func `without a request the view is cleared`() async throws {
        service.present(.photo(1), preview: nil)
        await waitUntil { service.state.image != nil }
        #expect(service.state(of: nil, preview: nil) == .loading())
        service.present(nil, preview: nil)
        #expect(service.state == .loading())
    }

    @Test func `a preview stands in, with a service too`() async throws {
        _ = try await room.loader.fetch(.photo(1))
        var large = ImageRequest.photo(1)
        large.size = ResizeTarget(width: 5)
        guard case .loading(_, let drawn?) = service.state(of: large, preview: .photo(1)) else {
            Issue.record("no preview in the first frame")
            return
        }
        service.present(large, preview: .photo(1))
        #expect(service.state == .loading(preview: drawn))
    }

    @Test func `presented again, as when a body is evaluated again or the view reappears, nothing is loaded again`()
        async
    {
        var request = ImageRequest.photo(1)
        request.policy = .reloadIgnoringCache
        service.present(request, preview: nil)
        await waitUntil { service.state.image != nil }
        service.disappear()
        service.present(request, preview: nil)
        #expect(service.state.image != nil)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `pull to refresh: a model whose request is set again loads what ignores caches again`() async {
        let model = ImageModel(room.options)
        var request = ImageRequest.photo(1)
        request.policy = .reloadIgnoringCache
        model.request = request
        await waitUntil { model.state.image != nil }
        model.request = request
        #expect(model.state.isLoading)
        await waitUntil { model.state.image != nil }
        #expect(room.transport.requestCount == 2)
    }

    @Test func `a view that comes back with another request loads nothing of the old one`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let service: any RemoteImageService = ImageModel(room.options, isOnScreen: false)
        service.fetch(.photo("old"), preview: nil)
        service.present(.photo("new"), preview: nil)
        gate.open()
        await waitUntil { service.state.image != nil }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["new"])
    }

    @Test func `the view acts on another image and on another priority, not on an equal request`() {
        let request = ImageRequest.photo(1)
        var urgent = request
        urgent.priority = .high
        func task(_ request: ImageRequest?) -> RemoteImageTask { RemoteImageTask(request, in: room.loader) }
        #expect(task(request) == task(.photo(1)))
        #expect(task(request) != task(urgent))
        #expect(task(request) != task(.photo(2)))
        #expect(task(request) != task(nil))
    }
}
