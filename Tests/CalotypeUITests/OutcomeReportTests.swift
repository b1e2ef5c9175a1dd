import Calotype
import CalotypeCodecs
@testable import CalotypeUI
import Foundation
import Testing

@MainActor
@Suite struct OutcomeReportTests {
    private let loader = Room().loader
    private let report = OutcomeReport()

    private func take(_ state: RemoteImageState, of name: String = "a") -> Result<LoadedImage, ImageError>? {
        report.take(state, of: RemoteImageTask(.photo(name), in: loader))
    }

    private func image() throws -> LoadedImage { LoadedImage(bitmap: try .plain(), origin: .network) }

    @Test func `a success is reported once, however often the view is drawn`() throws {
        let image = try image()
        #expect(take(.loading()) == nil)
        #expect(take(.image(image)) == .success(image))
        #expect(take(.image(image)) == nil)
    }

    @Test func `the frames of an animation are no further successes`() throws {
        #expect(try take(.image(image())) != nil)
        #expect(try take(.image(image())) == nil)
    }

    @Test func `a failure is reported once, and again when the retry has failed`() {
        let error = ImageError(.badStatus, "no", status: 404)
        #expect(take(.error(error)) == .failure(error))
        #expect(take(.error(error)) == nil)
        #expect(take(.loading()) == nil)
        #expect(take(.error(error)) == .failure(error))
    }

    @Test func `a preview is not reported, and a refreshed image is`() throws {
        let (old, new) = (try image(), try image())
        #expect(take(.image(old)) == .success(old))
        #expect(take(.loading(preview: old)) == nil)
        #expect(take(.image(new)) == .success(new))
    }

    @Test func `another request in memory is reported although nothing loads in between`() throws {
        let (one, other) = (try image(), try image())
        #expect(take(.image(one), of: "a") == .success(one))
        #expect(take(.image(other), of: "b") == .success(other))
    }

    @Test func `what a view shows while it loads is the preview`() throws {
        let image = try image()
        #expect(RemoteImageState.loading(preview: image).visibleImage == image)
        #expect(RemoteImageState.image(image).visibleImage == image)
        #expect(RemoteImageState.loading().visibleImage == nil)
        #expect(RemoteImageState.error(.cancelled).visibleImage == nil)
    }

    @Test func `a view that is drawn again makes no second model`() {
        let lazy = LazyModel()
        var made = 0
        let models = (0..<3).map { _ in
            lazy.get {
                made += 1
                return ImageModel(loader: loader)
            }
        }
        #expect(made == 1)
        #expect(models[0] === models[2])
    }
}
