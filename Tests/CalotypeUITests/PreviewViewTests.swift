import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeUI

/// A view's contents while the bytes of its image arrive.
@MainActor
@Suite struct PreviewViewTests {
    /// A progressive photograph of more than 100 KB; `start` is its first bytes, with some scans.
    private static let file: Data = {
        let drawn = try? DecoderRegistry.standard.decode(SamplePhotos.png(width: 900, height: 700))
        return (try? drawn?.encoded(as: .jpeg(quality: 92, isProgressive: true))) ?? Data()
    }()
    private static let start = file.count * 2 / 3

    /// Returns a room that answers with the first bytes, and with the rest when the gate opens.
    private func room(_ file: Data = file, start: Int = start, rest: Gate = Gate()) -> Room {
        Room(answering: { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Content-Length": "\(file.count)"],
                body: HTTPBody(Halves(file, start, rest)))
        })
    }

    private final class Halves: HTTPBodySource {
        private let parts: [Data]
        private let rest: Gate
        private let sent = Locked(0)

        init(_ file: Data, _ start: Int, _ rest: Gate) {
            parts = [Data(file.prefix(start)), Data(file.dropFirst(start))]
            self.rest = rest
        }

        func next() async throws(TransportError) -> Data? {
            let part = sent.withLock { sent in
                sent += 1
                return sent
            }
            if part == 2 { await rest.wait() }
            if Task.isCancelled { throw .cancelled }
            return part <= 2 ? parts[part - 1] : nil
        }
    }

    private var request: ImageRequest {
        var request = ImageRequest.photo()
        request.size = ResizeTarget(width: 300)
        return request
    }

    @Test func `a preview of the next image replaces the image that the view keeps, though it has less detail`()
        async throws
    {
        let rest = Gate()
        let (file, start) = (Self.file, Self.start)
        let first = SamplePhotos.png(width: 900, height: 700)
        var room = Room(answering: { request in
            if request.url.path.hasSuffix("first") {
                return HTTPResponse(url: request.url, status: 200, body: HTTPBody(first))
            }
            return HTTPResponse(
                url: request.url, status: 200, fields: ["Content-Length": "\(file.count)"],
                body: HTTPBody(Halves(file, start, rest)))
        })
        room.options.keepsImageWhileLoading = true
        let binder = ImageBinder(room.options)
        binder.show(.photo("first"))
        await waitUntil { binder.state.image != nil }
        binder.show(request)
        #expect(preview(binder.state)?.isOfEarlierRequest == true)
        await waitUntil { preview(binder.state)?.isOfEarlierRequest == false }
        rest.open()
        await waitUntil { binder.state.image != nil }
    }

    private func preview(_ state: RemoteImageState) -> LoadedImage? {
        if case .loading(_, let preview) = state { preview } else { nil }
    }

    @Test(.requirement("B61")) func `a view shows a large image's scans by itself, then the image`() async throws {
        #expect(Self.file.count > 100_000)
        let rest = Gate()
        let room = room(rest: rest)
        let model = ImageModel(room.options)
        model.request = request
        await waitUntil { preview(model.state) != nil }
        let shown = try #require(preview(model.state))
        #expect(shown.bitmap.width == 300 && !shown.wasCached)
        rest.open()
        await waitUntil { model.state.image != nil }
        #expect(model.state.image?.bitmap.isIdentical(to: shown.bitmap) == false)
        #expect(model.state.image?.wasCached == false)
    }

    @Test(arguments: [true, false])
    func `small images have no previews in views, nor have those of a request or a view without`(isOfView: Bool) async {
        let rest = Gate()
        var room = room(rest: rest)
        var request = request
        if isOfView { room.options.previews = .off } else { request.previews = .off }
        await expectNone(room, request, rest)
        let small = Data(Self.file.prefix(99_999))
        let other = Gate()
        await expectNone(self.room(small, start: 70_000, rest: other), self.request, other)
    }

    private func expectNone(_ room: Room, _ request: ImageRequest, _ rest: Gate) async {
        let model = ImageModel(room.options)
        model.request = request
        // The progress comes first; a preview would have begun then.
        await waitUntil { if case .loading(.some, _) = model.state { true } else { false } }
        #expect(room.loader.statistics.codecs + room.loader.statistics.codecQueue == 0)
        #expect(preview(model.state) == nil)
        rest.open()
        await waitUntil { !model.state.isLoading }
    }

    @Test(.requirement("B33"))
    func `what a view has shown of an image before it left the screen is there when it is back`() async throws {
        let room = room()
        let model = ImageModel(room.options)
        model.request = request
        await waitUntil { preview(model.state) != nil }
        let shown = try #require(preview(model.state))
        model.request = nil
        let next = ImageModel(room.options, isOnScreen: false)
        next.request = request
        #expect(preview(next.state)?.bitmap.identity == shown.bitmap.identity)
        #expect(preview(next.state)?.wasCached == true)
        #expect(room.loader.cachedImage(for: request) == nil)
    }

    @Test(arguments: [(500, 400, true), (300, 400, false)])
    func `a preview replaces what stands in for the image where it shows more`(
        detail: Int, standIn: Int, isReplaced: Bool
    ) throws {
        let bitmap = try Bitmap(width: standIn, height: 1, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 0)
        }
        let preview = ImagePreview(bitmap: bitmap, detail: PixelSize(width: detail, height: 1))
        #expect(preview.shows(moreThan: LoadedImage(bitmap: bitmap, origin: .memory)) == isReplaced)
    }

    /// Bitmaps of previews have the image's size, at any detail.
    @Test(arguments: [(125, 320, true), (320, 320, false), (320, 125, false), (1000, 125, false)])
    func `a preview replaces another one where it has more detail`(known: Int, detail: Int, isReplaced: Bool) throws {
        let bitmap = try Bitmap(width: 1000, height: 1, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 0)
        }
        func preview(_ detail: Int) -> ImagePreview {
            ImagePreview(bitmap: bitmap, detail: PixelSize(width: detail, height: 1))
        }
        let standIn = LoadedImage(preview(known), origin: .network).cached
        #expect(preview(detail).shows(moreThan: standIn) == isReplaced)
    }

    @Test func `what a view has shown when it left the screen is at hand when it is back`() throws {
        let bitmap = try Bitmap(width: 1, height: 1, hasAlpha: false) { pixels, _ in pixels[0] = 0 }
        let preview = ImagePreview(bitmap: bitmap, detail: PixelSize(width: 320, height: 1))
        var binding = ViewBinding()
        let asked = binding.set(inMemory: nil).starts
        let ticket = try #require(asked)
        _ = binding.begin(ticket)
        _ = binding.receive(LoadedImage(preview, origin: .network), for: ticket)
        _ = binding.disappear()
        _ = binding.appear()
        // The next load begins with the coarsest preview, which replaces no present one and shows more.
        let shown = try #require(self.preview(binding.state))
        #expect(shown.wasCached && shown.bitmap.identity == bitmap.identity && shown.detail?.width == 320)
    }

    @Test func `a view notices whose image it shows, though the pixels are the same`() throws {
        let bitmap = try Bitmap(width: 1, height: 1, hasAlpha: false) { pixels, _ in pixels[0] = 0 }
        let own = LoadedImage(bitmap: bitmap, origin: .network, wasCached: true)
        var binding = ViewBinding()
        _ = binding.set(inMemory: nil, preview: own)
        let kept = binding.set(inMemory: nil, preview: own.kept)
        #expect(kept.shows && preview(binding.state)?.isOfEarlierRequest == true)
        let again = binding.set(inMemory: nil, preview: own)
        #expect(again.shows && preview(binding.state)?.isOfEarlierRequest == false)
    }

    @Test func `a preview that comes for an earlier request, or after the image, changes nothing`() throws {
        let bitmap = try Bitmap(width: 1, height: 1, hasAlpha: false) { pixels, _ in pixels[0] = 0 }
        let image = LoadedImage(bitmap: bitmap, origin: .network)
        let whole = LoadedImage(bitmap: try bitmap.applying(.pad(1)), origin: .network)
        var binding = ViewBinding()
        let asked = binding.set(inMemory: nil).starts
        let first = try #require(asked)
        _ = binding.begin(first)
        let next = binding.set(inMemory: nil).starts
        let second = try #require(next)
        let early = binding.receive(image, for: first)
        #expect(early == ViewBinding.Action())
        _ = binding.begin(second)
        let action = binding.receive(image, for: second)
        #expect(action.shows && binding.state == .loading(preview: image))
        _ = binding.finish(second, .success(whole))
        let late = binding.receive(image, for: second)
        #expect(late == ViewBinding.Action() && binding.state == .image(whole))
    }
}
