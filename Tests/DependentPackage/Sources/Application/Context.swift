import CalotypeUI
import Foundation

// What the snippets of the documents leave to the reader.

let url = URL(string: "https://example.org/cat.jpg")!

func draw(_ image: Bitmap?, progress: LoadProgress?) {}
func draw(_ image: Bitmap, fades: Bool) {}
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

func download(_ url: URL) async throws -> Data { try await ImageLoader.shared.data(for: ImageRequest(url)).data }

let files = LocalFileDataCache(directory: NSTemporaryDirectory() + "images")
let pool = BlockingPool(threads: 1)
let memory = WeakObjectCache<Photo, CheckedImage>()
let images: AnyAsyncProvider<Photo, CheckedImage, any Error> =
    Provider.source { (photo: Photo) async throws in try CheckedImage(await download(photo.url)) }
    .eraseToAnyProvider()
