import CalotypeBase
package import Foundation

/// A decoder that runs in a worker. This process itself reads only the signature, and the headers and color spaces of
/// the formats for which `readsHeaderInSwift` is `true`.
package struct IsolatedDecoder: AnimationDecoder, InterruptibleDecoder, PartialDecoder, SeparatePreviewDecoder {
    let standard: StandardDecoder
    let workers: DecoderWorkers
    private(set) var terms = DecodeTerms()

    package init(standard: StandardDecoder, workers: DecoderWorkers) {
        self.standard = standard
        self.workers = standard.isSeparate ? workers.formats ?? workers : workers
    }

    var permits: Limiter? { standard.drawsVectors ? workers.drawings : nil }

    func under(_ terms: DecodeTerms) -> any ImageDecoder {
        var decoder = self
        decoder.terms = terms
        return decoder
    }

    package var mediaTypes: [String] { standard.decoder.mediaTypes }

    /// Returns whether the signature is one of this decoder's formats.
    func recognizes(_ data: Data) -> Bool { data.reading { standard.recognizes(ByteReader($0)) } }

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard recognizes(data) else { return nil }
        if standard.readsHeaderInSwift { return try standard.decoder.header(of: data) }
        return try ask(.header, data) { (answer, _) throws(WorkerFault) in
            if case .header(let header) = answer { return header }
            return nil
        }
    }

    package func colors(of data: Data) -> String? {
        guard recognizes(data) else { return nil }
        if standard.readsHeaderInSwift { return standard.decoder.colors(of: data) }
        return try? ask(.colors, data) { (answer, _) throws(WorkerFault) -> String? in
            if case .colors(let name) = answer { return name }
            return nil
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        standard.decoder.workingBytes(for: header, scaledTo: size)
    }

    func partialBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        standard.decoder.peakBytes(for: header, scaledTo: size, acceptsPartialImages: true)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        let bitmap = try ask(.decode(header, size), data) { (answer, pixels) throws(WorkerFault) in
            try Bitmap(answer, in: pixels)
        }
        guard let bitmap else { throw CodecError(.tooLarge, "no memory for a bitmap of \(size.result) pixels") }
        return bitmap
    }

    package func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? {
        try ask(.decodePart(header, size), data) { (answer, pixels) throws(WorkerFault) in
            if case .nothing = answer { return nil }
            return try Bitmap(answer, in: pixels)
        }
    }

    func mayHavePreviews(_ header: ImageHeader) -> Bool {
        (standard.decoder as? any SeparatePreviewDecoder)?.mayHavePreviews(header) ?? false
    }

    func preview(
        of data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> ImagePreview? {
        try ask(.decodePreview(header, size), data) { (answer, pixels) throws(WorkerFault) in
            guard case .preview(let size, let hasAlpha, let detail) = answer else { return nil }
            guard let bitmap = try Bitmap(.bitmap(size, hasAlpha: hasAlpha), in: pixels) else { return nil }
            return ImagePreview(bitmap: bitmap, detail: detail)
        }
    }

    package func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        guard standard.decoder is any AnimationDecoder else { return nil }
        return try IsolatedFrames(data, header: header, limits: limits, gamut: gamut, self)
    }

    /// Stores the file in its other form.
    func transcoded(_ data: Data, within memory: TranscodingMemory) throws(CodecError) -> Data {
        let file = try ask(.transcode(memory), data) { (answer, bytes) throws(WorkerFault) -> Data? in
            guard case .file(let count) = answer else { throw WorkerFault.lied }
            return Data(bytes.bytes.prefix(count))
        }
        return file ?? Data()
    }

    /// Sends a request to a worker, and rethrows the error of its decoder.
    private func ask<Value>(
        _ operation: DecoderRequest.Operation, _ data: Data,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Value?
    ) throws(CodecError) -> Value? {
        let request = DecoderRequest(decoder: standard, operation: operation)
        let outcome = try workers.answer(request, data, under: terms) {
            (answer, pixels) throws(WorkerFault) -> Result<Value?, CodecError> in
            if case .failure(let error) = answer { return .failure(error) }
            return .success(try use(answer, pixels))
        }
        return try outcome.get()
    }
}

extension IsolatedDecoder: GainMapDecoder {
    /// Finds the map in this process, in Swift, and decodes no pixel.
    func gainMapSource(of data: Data) throws(GainMapFault) -> GainMapSource? {
        guard let decoder = standard.decoder as? any GainMapDecoder else { return nil }
        return try decoder.gainMapSource(of: data)
    }
}

extension Bitmap {
    /// The maximum size in bytes of a result that is copied out of shared memory.
    private static let copiedBytes = SharedRegion.smallest

    /// Copies a small bitmap out of shared memory. A larger bitmap uses the region itself, and keeps it alive.
    ///
    /// - Returns: `nil` if there is no memory for a copy.
    init?(_ answer: WorkerAnswer, in pixels: SharedRegion) throws(WorkerFault) {
        guard case .bitmap(let size, let hasAlpha, let gamut) = answer else { throw WorkerFault.lied }
        if size.bitmapBytes > Self.copiedBytes {
            let memory = PixelMemory(pixels.bytes, isReadOnly: true) { [pixels] _ in withExtendedLifetime(pixels) {} }
            guard let bitmap = Bitmap(size, hasAlpha: hasAlpha, in: memory) else { return nil }
            self = bitmap.declaring(gamut: gamut)
            return
        }
        let copy = try? Bitmap(size, hasAlpha: hasAlpha) { bytes, _ in
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels.bytes[..<bytes.count]))
        }
        guard let copy else { return nil }
        self = copy.declaring(gamut: gamut)
    }
}
