import CalotypeUI
import Foundation

// Declarations that the documents' snippets assume.

let url = URL(string: "https://example.org/cat.jpg")!

let urls = [url]
let file = URL(fileURLWithPath: "/srv/cat.jpg")
let data = Data()
let upload = Data()
let loader = ImageLoader(.ephemeral)
@MainActor var bitmap: Bitmap!

func show(_ image: Bitmap) {}
func show(_ image: Bitmap, for time: Duration) {}
func show(_ result: Result<Bitmap, ImageError>) {}
func show(_ received: Int, of expected: Int?) {}
func show(_ sentence: String, offersRetry: Bool) {}
func showPlaceholder() {}
func log(_ message: String) {}
func token() -> String { "" }

struct Library {
    func avatar(of id: Int) async throws -> Data { data }
    func cover(of id: Int) async throws -> Data { data }
}

let database = Library()
let library = Library()

func draw(_ image: Bitmap?, progress: LoadProgress?) {}
func draw(_ image: Bitmap, fades: Bool) {}
func draw(_ frame: Bitmap, for duration: Duration) {}
func draw(_ sentence: String, offersRetry: Bool) {}

struct Photo: Hashable, Sendable {
    var url: URL
}

let photo = Photo(url: url)

struct NotAnImage: Error {}

final class CheckedImage: Sendable {
    let data: Data

    init(_ data: Data) throws(NotAnImage) {
        guard !data.isEmpty else { throw NotAnImage() }
        self.data = data
    }
}

func download(_ url: URL) async throws -> Data { try await ImageLoader.shared.data(for: ImageRequest(url)) }

let gif = Data()

let files = LocalFileDataCache(directory: NSTemporaryDirectory() + "images")
let pool = BlockingPool(threads: 1)
let images: AnyAsyncProvider<Photo, CheckedImage, any Error> =
    Provider.source { (photo: Photo) async throws in try CheckedImage(await download(photo.url)) }
    .eraseToAnyProvider()
