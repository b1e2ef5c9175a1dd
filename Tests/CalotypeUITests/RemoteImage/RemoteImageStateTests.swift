import Calotype
import CalotypeCodecs
import CalotypeUI
import Foundation
import Requirements
import Testing

@Suite struct RemoteImageStateTests {
    @Test(.requirement("S2.24")) func `states are hashable, and images equal where they share their pixels`() throws {
        let (one, other) = (try Bitmap.plain(), try Bitmap.plain())
        let image = LoadedImage(bitmap: one, origin: .memory, wasCached: true)
        let states: Set<RemoteImageState> = [
            .loading(), .loading(progress: LoadProgress(received: 1, expected: 2)), .loading(preview: image),
            .image(image), .image(LoadedImage(bitmap: one, origin: .memory, wasCached: true)),
            .image(LoadedImage(bitmap: other, origin: .memory, wasCached: true)),
            .image(LoadedImage(bitmap: one, origin: .network)),
            .error(ImageError(.badStatus, "no", status: 404)), .error(ImageError(.badStatus, "no", status: 404)),
            .error(ImageError(.badStatus, "no", status: 500)),
        ]
        #expect(states.count == 8)
    }

    @Test(.requirement("S2.1")) func `a view shows one of three things, and nothing else`() throws {
        let image = LoadedImage(bitmap: try .plain(), origin: .memory)
        let error = ImageError(.badStatus, "no", status: 404)
        let states: [RemoteImageState] = [.loading(preview: image), .image(image), .error(error)]
        #expect(states.map { [$0.isLoading, $0.image != nil, $0.error != nil].filter { $0 }.count } == [1, 1, 1])
        // Without a default case: another state would not compile.
        let names = states.map { state in
            switch state {
            case .loading: "loading"
            case .image: "image"
            case .error: "error"
            }
        }
        #expect(names == ["loading", "image", "error"])
    }

    @Test(.requirement("S2.12")) func `a failure has a sentence for a label, without the raw words of the log`() {
        let words = "Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
        let error = ImageError(.connectionFailed, words, url: URL(string: "http://a/b"))
        #expect(error.localizedDescription == "The connection to the server failed.")
        #expect(error.description == "http://a/b: \(words)")
    }

    @Test(arguments: [
        (ImageError.Code.notAnImage, nil as Int?, "The server sent something that is not an image.", true),
        (.badStatus, 404, "There is no image at this address.", true),
        (.badStatus, 410, "There is no image at this address.", false),
        (.badStatus, 401, "This image is not accessible without permission.", true),
        (.badStatus, 503, "The server has a problem. Try again later.", true),
        (.badStatus, 418, "The server did not send the image.", true),
        (.invalidURL, nil, "The address of this image is not valid.", false),
        (.unsupportedScheme, nil, "This kind of address is not supported.", false),
        (.imageTooLarge, nil, "The image is too large to be shown.", false),
        (.truncated, nil, "The image arrived incomplete.", true),
        (ImageError.Code(rawValue: "of a later version"), nil, "The image could not be loaded.", true),
    ])
    func `each kind of failure says what happened, and whether asking again may help`(
        _ code: ImageError.Code, _ status: Int?, _ sentence: String, _ offersRetry: Bool
    ) {
        let error = ImageError(code, "curl: (7) raw words", status: status)
        #expect(RemoteImageTexts().message(error) == sentence)
        #expect(error.offersRetry == offersRetry)
    }

    @Test(arguments: [
        (ImageError.Code.notAnImage, "The file is not an image."), (.dataIsEmpty, "The file is empty."),
        (.truncated, "The file is incomplete."), (.timedOut, "The file took too long to read."),
        (.damagedImage, "The image is damaged."),
    ])
    func `of a file, a failure speaks of no server`(_ code: ImageError.Code, _ sentence: String) {
        #expect(ImageError(code, "raw words", url: URL(fileURLWithPath: "/a.png")).localizedDescription == sentence)
    }

    @Test(arguments: [
        (ImageError.Code.notAnImage, false), (.damagedImage, false), (.dataIsEmpty, false), (.truncated, false),
        (.timedOut, true), (.fileUnreadable, true),
    ])
    func `a file without an image in it stays so, and a server may have a better answer`(
        _ code: ImageError.Code, _ offersRetry: Bool
    ) {
        #expect(ImageError(code, "raw words", url: URL(fileURLWithPath: "/a.png")).offersRetry == offersRetry)
        #expect(ImageError(code, "raw words", url: URL(string: "http://a/b.png")).offersRetry)
    }
}

extension Bitmap {
    /// Returns a bitmap of one color.
    static func plain(_ width: Int = 4, _ height: Int = 3, blue: UInt8 = 200) throws(CodecError) -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, _ in
            for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0xFF00_0000 | UInt32(blue), toByteOffset: offset, as: UInt32.self)
            }
        }
    }
}
