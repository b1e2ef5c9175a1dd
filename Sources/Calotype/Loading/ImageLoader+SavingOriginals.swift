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
        let saved = try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request, decodes: false) { (request, keys) throws(ImageError) in
                    try await pipeline.save(request, keys, to: file)
                }
            }
        }
        return try saved.url.get()
    }
}

extension Pipeline {
    /// Writes the bytes while they are still reserved: bytes that wait for a thread count against `undecodedBytes`. Bytes
    /// that are not an image fail, as they do in a load.
    fileprivate func save(
        _ request: ImageRequest, _ keys: ImageKeys, to file: OriginalFile
    ) async throws(ImageError) -> SavedOriginal {
        let job = try job(request, keys)
        return try await originals.withBytes(job, Claim(), within: nil) {
            [decoding] (original, bytes) throws(ImageError) in
            let format = try await decoding.format(of: bytes.data, job)
            let cancellation = Cancellation()
            let url = await Result(awaiting: { () async throws(ImageError) in
                try await cancellation.observed { () throws(ImageError) in
                    try await decoding.threads.run { () throws(ImageError) in
                        try file.write(bytes.data, format, cancellation)
                    }
                }
            })
            return SavedOriginal(url: url, origin: original.origin, byteCount: bytes.data.count)
        }
    }
}

private struct SavedOriginal: MeasuredResult {
    /// The file, or the error of writing it, for which no alternative source is tried.
    let url: Result<URL, ImageError>
    let origin: ImageResponse.Origin
    let byteCount: Int
    var work: LoadWork? { nil }
}
