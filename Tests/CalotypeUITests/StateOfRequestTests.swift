import Calotype
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Observation
import Testing
import Waiting

@testable import CalotypeUI

/// SwiftUI draws a view with a new request before it calls `onAppear`, and before the request is set.
@MainActor
@Suite struct StateOfRequestTests {
    private func model(_ room: Room) -> ImageModel { ImageModel(room.options, isOnScreen: false) }

    @Test func `an image in memory is in the first frame`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo(1))
        #expect(model(room).state(of: .photo(1)).image?.wasCached == true)
    }

    @Test func `before its first layout, a view draws what memory has of the image`() async throws {
        let room = Room()
        var wide = ImageRequest.photo(1)
        wide.size = ResizeTarget(width: 5)
        _ = try await room.loader.fetch(wide)
        let model = model(room)
        let first = model.state(of: nil, unsized: .photo(1), preview: nil)
        #expect(first.isLoading && first.visibleImage?.bitmap.width == 5)
        #expect(model.state(of: nil, unsized: .photo(2), preview: nil).visibleImage == nil)
        #expect(model.state(of: wide, unsized: .photo(1), preview: nil).image?.wasCached == true)
    }

    @Test func `the image of the last request is never shown for the next`() async throws {
        let room = Room()
        let model = model(room)
        model.appear()
        model.request = .photo(1)
        await waitUntil { model.state.image != nil }
        #expect(model.state(of: .photo(1)) == model.state)
        #expect(model.state(of: .photo(2)).isLoading)
        #expect(model.state(of: nil).isLoading)
    }

    @Test func `asking starts nothing`() {
        let room = Room()
        let model = model(room)
        model.appear()
        #expect(model.state(of: .photo(1)).isLoading)
        #expect(room.transport.requestCount == 0 && model.request == nil)
    }

    @Test func `another size that is in memory stands in`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo(1))
        var large = ImageRequest.photo(1)
        large.size = ResizeTarget(width: 5)
        guard case .loading(_, let preview) = model(room).state(of: large, preview: .photo(1)) else {
            Issue.record("not in memory at this size")
            return
        }
        #expect(preview?.wasCached == true)
    }

    @Test func `who draws by it is told of changes`() async {
        let model = model(Room())
        let isChanged = Gate()
        model.appear()
        model.request = .photo(1)
        withObservationTracking {
            _ = model.state(of: .photo(1))
        } onChange: {
            isChanged.open()
        }
        await isChanged.wait()
    }
}
