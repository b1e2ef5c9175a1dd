import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import Foundation

/// Turns a request into the bytes of a file: the original ones, or those that the recipe makes of them.
struct ImageFileMaker: Sendable {
    let loader: ImageLoader
    let network: NetworkOptions
    let recipe: Recipe
    /// Threads that check and encode, limited in number and memory like the loader's own.
    let codecs: BlockingPool

    init(loader: ImageLoader, network: NetworkOptions, recipe: Recipe) {
        self.loader = loader
        self.network = network
        self.recipe = recipe
        codecs = BlockingPool(threads: loader.options.codecThreads, costLimit: loader.options.decodeBudget)
    }

    /// - Parameter name: the planned name, whose extension decides the format if the recipe does not.
    func file(for address: Address, name: String) async throws(Failure) -> ImageFile {
        let request = ImageRequest(source: .request(network.request(address.url)), policy: network.policy)
        if recipe.keepsOriginal { return try await original(request) }
        return try await processed(request) { recipe.format ?? format(for: name, $0) }
    }

    /// Returns the image in the format of its path's extension: the original bytes if they have that format already.
    func file(for address: Address, path: String) async throws(Failure) -> ImageFile {
        let request = ImageRequest(source: .request(network.request(address.url)), policy: network.policy)
        let format = recipe.format ?? FileFormat(fileName: path)
        if recipe.keepsOriginal {
            let file = try await original(request)
            if file.format.fits(path) { return file }
            guard let format else {
                let problem = FileFormat.problem(withFileName: path)
                throw Failure(
                    code: "unsupportedImage", "the image is a \(file.format.rawValue.uppercased()); \(problem)")
            }
            return try await converted(file, to: format)
        }
        return try await processed(request) { format ?? self.format(for: path, $0) }
    }

    private func processed(
        _ request: ImageRequest, as format: (Bitmap) -> FileFormat
    ) async throws(Failure) -> ImageFile {
        var request = request
        request.size = recipe.size
        request.steps = recipe.steps
        let response: ImageResponse
        do throws(ImageError) { response = try await loader.response(for: request) } catch { throw Failure(error) }
        let origin = ImageOrigin(layer: response.origin, decision: response.cacheDecision)
        return try await encoded(response.bitmap, as: format(response.bitmap), from: origin)
    }

    private func converted(_ file: ImageFile, to format: FileFormat) async throws(Failure) -> ImageFile {
        let bitmap: Bitmap
        do throws(CodecError) {
            let plan = try loader.options.decoders.plan(for: file.data, target: nil, limits: loader.options.limits)
            bitmap = try await codecs.run(cost: plan.cost) { () throws(CodecError) in try plan.decode() }
        } catch {
            throw Failure(error)
        }
        return try await encoded(bitmap, as: format, from: ImageOrigin(layer: file.origin, decision: file.decision))
    }

    private func encoded(
        _ bitmap: Bitmap, as format: FileFormat, from origin: ImageOrigin
    ) async throws(Failure) -> ImageFile {
        do throws(CodecError) {
            let image = try await codecs.run(cost: 2 * bitmap.byteCount) { () throws(CodecError) in
                try recipe.encoded(bitmap, as: format)
            }
            return ImageFile(
                data: image.data, format: format.imageFormat, size: bitmap.size, origin: origin.layer,
                decision: origin.decision, quality: image.quality)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the format of the name, except that JPEG cannot hold transparency.
    private func format(for name: String, _ bitmap: Bitmap) -> FileFormat {
        let format = FileFormat(fileName: name) ?? .jpeg
        return format == .jpeg && bitmap.hasAlpha ? .png : format
    }

    /// Returns the original bytes, once they have proven to be a whole image.
    private func original(_ request: ImageRequest) async throws(Failure) -> ImageFile {
        let response = try await data(request)
        do throws(CodecError) {
            return try await checked(response)
        } catch {
            guard error.code == .notAnImage || error.code == .damaged else { throw Failure(error) }
            // Bytes that are no image must not stay in the cache for the next request.
            try? await loader.remove(request)
            guard [.disk, .stale, .revalidated].contains(response.origin), network.policy != .returnCacheDontLoad else {
                throw Failure(error)
            }
        }
        var again = request
        again.policy = .reloadIgnoringCache
        let fresh = try await data(again)
        do throws(CodecError) {
            return try await checked(fresh)
        } catch {
            try? await loader.remove(request)
            throw Failure(error)
        }
    }

    private func data(_ request: ImageRequest) async throws(Failure) -> DataResponse {
        do throws(ImageError) { return try await loader.data(for: request) } catch { throw Failure(error) }
    }

    /// Checks a body by decoding it small, which reads every byte and costs little.
    private func checked(_ response: DataResponse) async throws(CodecError) -> ImageFile {
        let header = try loader.options.decoders.header(of: response.data)
        do throws(CodecError) {
            let plan = try loader.options.decoders.plan(
                for: response.data, target: ResizeTarget(width: 64, height: 64), limits: loader.options.limits)
            _ = try await codecs.run(cost: plan.cost) { () throws(CodecError) in try plan.decode() }
        } catch {
            // An image too large to decode here may still be copied: the request was for its bytes, not its pixels.
            guard error.code == .tooLarge else { throw error }
        }
        return ImageFile(
            data: response.data, format: header.format, size: header.uprightSize, origin: response.origin,
            decision: response.cacheDecision)
    }
}
