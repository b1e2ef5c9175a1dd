import CalotypeBase
public import Foundation

extension ImageLoader {
    /// Writes the undecoded bytes of an image to a file, for example to share or to upload it.
    ///
    /// Shares its download with requests for the image. The file is complete or absent, even if the caller is cancelled or the
    /// disk is full. Bytes that are not an image fail.
    ///
    /// ```swift
    /// let file = try await loader.saveOriginal(for: ImageRequest(url), to: FileManager.default.temporaryDirectory)
    /// ```
    ///
    /// - Parameter url: The `file:` URL of the new file, which replaces an existing file; or of a folder, in which the file
    ///   gets the last part of the image's URL as its name, without characters that are special in shells and file
    ///   systems, and with the extension of its actual format. An existing file in the folder stays: the second
    ///   `photo.jpg` becomes `photo-2.jpg`.
    /// - Returns: The URL of the new file.
    /// - Throws: The errors of a load, and `fileUnwritable`, whose message has the reason.
    @discardableResult
    public func saveOriginal(for request: ImageRequest, to url: URL) async throws(ImageError) -> URL {
        let file = try OriginalFile(at: url, of: request.source.url)
        let original = try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request, decodes: false, pipeline.recognizedData)
            }
        }
        let cancellation = Cancellation()
        return try await cancellation.observed { () throws(ImageError) in
            try await pipeline.decoding.threads.run { () throws(ImageError) in
                try file.write(original.data, original.format, cancellation)
            }
        }
    }
}
