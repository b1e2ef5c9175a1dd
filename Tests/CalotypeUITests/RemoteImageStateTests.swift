import Calotype
import CalotypeCodecs
import CalotypeUI
import Foundation
import Testing

@Suite struct RemoteImageStateTests {
    @Test func `S2.24: states are hashable, and pictures equal where they share their pixels`() throws {
        let (one, other) = (try Bitmap.plain(), try Bitmap.plain())
        let image = LoadedImage(bitmap: one, origin: .memory, wasAtHand: true)
        let states: Set<RemoteImageState> = [
            .loading(), .loading(progress: LoadProgress(received: 1, expected: 2)), .loading(preview: image),
            .image(image), .image(LoadedImage(bitmap: one, origin: .memory, wasAtHand: true)),
            .image(LoadedImage(bitmap: other, origin: .memory, wasAtHand: true)),
            .image(LoadedImage(bitmap: one, origin: .network)),
            .error(ImageError(.badStatus, "no", status: 404)), .error(ImageError(.badStatus, "no", status: 404)),
            .error(ImageError(.badStatus, "no", status: 500)),
        ]
        #expect(states.count == 8)
    }

    @Test func `S2.1: a view shows one of three things, and nothing else`() throws {
        let image = LoadedImage(bitmap: try .plain(), origin: .memory)
        let error = ImageError(.badStatus, "no", status: 404)
        let states: [RemoteImageState] = [.loading(preview: image), .image(image), .error(error)]
        #expect(states.map { [$0.isLoading, $0.image != nil, $0.error != nil].filter { $0 }.count } == [1, 1, 1])
        // No default: another state would not compile.
        let names = states.map { state in
            switch state {
            case .loading: "loading"
            case .image: "image"
            case .error: "error"
            }
        }
        #expect(names == ["loading", "image", "error"])
    }

    @Test func `S2.12: the words of a failure are there for a label`() {
        let error = ImageError(.notAnImage, "the bytes are of no known format", url: URL(string: "http://a/b"))
        #expect(error.localizedDescription == "the bytes are of no known format")
    }
}

extension Bitmap {
    /// One colour all over.
    static func plain(_ width: Int = 4, _ height: Int = 3, blue: UInt8 = 200) throws(CodecError) -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, _ in
            for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0xFF00_0000 | UInt32(blue), toByteOffset: offset, as: UInt32.self)
            }
        }
    }
}
