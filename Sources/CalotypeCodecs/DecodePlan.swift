package import CalotypeBase
import Foundation

/// A prepared decode of one file. The size of the result and the peak memory are computed from the header alone.
///
/// Callers that limit memory check ``cost`` first, and call ``decode(under:)`` once that much memory is available.
package final class DecodePlan: Sendable {
    package let header: ImageHeader

    /// The size in pixels of the scaled and cropped image, before the layout's further steps are applied.
    package var outputSize: PixelSize { placement.window.size }

    /// The size in pixels of the image that ``decode(under:)`` returns. An estimate if the layout trims the image.
    package let resultSize: PixelSize

    /// The peak memory of ``decode(under:)`` in bytes, including the layout's steps, the result and the copy of the file
    /// that a worker process gets, but not the file itself.
    package let cost: Int

    /// The size requested from the decoder.
    let decodeSize: DecodeSize
    private let placement: ImagePlacement
    private let filter: ResizeFilter
    /// The steps that the layout adds after scaling and cropping.
    private let steps: [any ImageStep]
    /// The peak memory of the steps in bytes, including the image that they are applied to.
    let stepBytes: Int
    private let acceptsPartialImages: Bool
    private let keepsCredits: Bool
    /// The bytes for the decoder.
    private let file: Data
    /// The whole file, which has the credits.
    private let whole: Data
    private let decoder: any ImageDecoder
    /// The image as it was recognized, for a plan by another layout.
    private let image: RecognizedImage
    /// The decode of the gain map; `nil` if the file has none, or the layout discards it.
    private let gainMap: GainMapDecode?
    /// The reason why the file's gain map is dropped.
    private let gainMapFault: GainMapFault?

    /// - Parameter data: The whole file, of which the image may be a part.
    /// - Throws: `damaged` if the image has no pixels, `unsupported` if the layout's crop lies outside the image,
    ///   `tooLarge` if a limit forbids the decode.
    init(
        _ image: RecognizedImage, in data: Data, target: (any ImageLayout)?, limits: DecodeLimits
    ) throws(CodecError) {
        try limits.check(image.header)
        self.image = image
        file = image.file
        whole = data
        decoder = image.decoder
        var header = image.header
        // The layout needs the image as stored: with orientation 1 the decoder does not turn it.
        if target?.turnsUpright == false { header.orientation = 1 }
        self.header = header
        let full = header.uprightSize
        let layout = target?.isFullSize == true ? nil : target
        let wanted = layout?.placement(of: full, isScalable: header.isScalable)
        let placement = try (wanted ?? ImagePlacement(limits.defaultSize(of: full))).validated()
        let filter = target?.filter ?? .automatic
        self.placement = placement
        self.filter = filter
        var decodeSize =
            target?.decodeSize(of: full, isScalable: header.isScalable)
            ?? DecodeSize(placement.scaled, of: header.isScalable ? placement.scaled : full, filter: filter)
        decodeSize.gamut = target?.gamut ?? .sRGB
        self.decodeSize = decodeSize
        steps = target?.steps(after: full, isScalable: header.isScalable) ?? []
        acceptsPartialImages = limits.acceptsPartialImages
        keepsCredits = target?.keepsCredits ?? false
        let work = decoder.peakBytes(
            for: header, scaledTo: decodeSize, acceptsPartialImages: limits.acceptsPartialImages)
        let decoding = decodeSize.memory(for: header, decoding: work, placement, filter)
        // The first image stays in memory until the last step has ended.
        let finishing = steps.memory(on: placement.window.size)
        resultSize = finishing.result
        stepBytes = steps.isEmpty ? 0 : finishing.peak
        let copy = decoder is any InterruptibleDecoder ? file.count : 0
        let map = target.flatMap {
            Self.gainMap(of: image, header, for: $0, at: placement, result: finishing.result, limits)
        }
        (gainMap, gainMapFault) = (try? map?.get(), map?.fault)
        let beside = decodeSize.result.bitmapMemory.adding(gainMap?.peakBytes ?? 0)
        cost = max(
            decoding.adding(copy), steps.isEmpty ? 0 : placement.window.size.bitmapMemory + stepBytes,
            gainMap == nil ? 0 : beside
        ).adding(gainMap?.heldBytes ?? 0)
        // The output first: an error names it rather than the size before the scaler.
        try limits.check(outputSize, cost: decoding, of: header)
        try limits.check(decodeSize.result, cost: decoding, of: header)
    }

    /// Decodes to ``outputSize``, and applies the layout's steps. Blocks the calling thread.
    ///
    /// - Parameter terms: What a worker process may take. If `nil` (the default), the terms of the registry apply.
    /// - Throws: `damaged` if the file is damaged or truncated, `unsupported` for rare variants of a format, `tooLarge`
    ///   if memory is exhausted, `decoderFailed` if a worker process fails, `timedOut` if it exceeds the terms,
    ///   `stepFailed` if a step of the layout fails.
    package func decode(under terms: DecodeTerms? = nil) throws(CodecError) -> Bitmap {
        let decoder = if let terms { self.decoder.under(terms) } else { self.decoder }
        let bitmap: Bitmap
        do throws(CodecError) {
            bitmap = try decoder.decode(file, header: header, scaledTo: decodeSize)
        } catch {
            guard acceptsPartialImages, error.code == .damaged,
                let part = try decoder.decodePartial(file, header: header, scaledTo: decodeSize)
            else { throw error }
            bitmap = part
        }
        let (map, fault) = try decodedGainMap(by: decoder, of: bitmap)
        let fitted = try fit(bitmap.declaring(gainMap: map))
        // From here on, the map has no more samples than it needs.
        let drawn = try fitted.declaring(gainMap: fitted.gainMap?.drawn(for: fitted.size))
        return try drawn.applying(steps).declaring(isFirstFrame: header.isAnimated)
            .declaring(sourceFormat: header.format, hadAlpha: bitmap.hasAlpha).declaring(credits: credits)
            .declaring(gainMapFault: fault)
    }

    /// The memory of the gain map of the result in bytes, with that of its changed copy or its encoder; 0 without one.
    package var gainMapBytes: Int { gainMap?.heldBytes ?? 0 }

    private func decodedGainMap(
        by decoder: any ImageDecoder, of base: Bitmap
    ) throws(CodecError) -> (GainMap?, GainMapFault?) {
        // Of a part of an image, some pixels are transparent.
        guard let gainMap, !base.hasAlpha else { return (nil, gainMapFault) }
        switch try gainMap.map(in: file, by: decoder) {
        case .success(let map): return (map, nil)
        case .failure(let fault): return (nil, fault)
        }
    }

    private static func gainMap(
        of image: RecognizedImage, _ header: ImageHeader, for target: any ImageLayout, at placement: ImagePlacement,
        result: PixelSize, _ limits: DecodeLimits
    ) -> Result<GainMapDecode, GainMapFault>? {
        guard let side = target.gainMapSide, max(result.width, result.height) >= side,
            let decoder = image.decoder as? any GainMapDecoder
        else { return nil }
        let window = placement.window.size
        let largest = window.bitmapMemory > result.bitmapMemory ? window : result
        do throws(GainMapFault) {
            guard let source = try decoder.gainMapSource(of: image.file) else { return nil }
            return .success(
                try GainMapDecode(
                    source, of: header, scaledTo: placement.scaled, result: largest, decoder, limits))
        } catch {
            return .failure(error)
        }
    }

    /// Closes the layout of this plan if it is open, and returns the plan for what it has become; otherwise this plan.
    ///
    /// - Throws: `tooLarge` if a limit forbids the decode.
    package func closing(_ layout: (any ImageLayout)?, limits: DecodeLimits) throws(CodecError) -> DecodePlan {
        guard let open = layout as? any OpenLayout else { return self }
        open.close(for: header)
        return try DecodePlan(image, in: whole, target: open, limits: limits)
    }

    private var credits: ImageCredits? {
        keepsCredits ? ImageCredits(of: whole) : nil
    }

    /// `true` if the decode is expected to take less time than a hop to another thread. This requires a
    /// ``BriefDecoder``, a file of at most 64 KiB, sides of at most 64 pixels before and after scaling and after the layout's
    /// steps, and at most 1 MiB for these.
    package var isBrief: Bool {
        guard gainMap == nil else { return false }
        let sizes = [header.stored, outputSize, resultSize]
        return file.count <= 64 << 10 && sizes.allSatisfy { max($0.width, $0.height) <= 64 } && stepBytes <= 1 << 20
            && decoder is any BriefDecoder
    }

    /// The permits of which a task needs one before it has a thread decode the image; `nil` if it needs none.
    package var permits: Limiter? { (decoder as? any InterruptibleDecoder)?.permits }

    var fileBytes: Int { whole.count }

    /// Opens the frames of an animation. Returns `nil` if the decoder supports only the first frame. For a still image,
    /// returns `nil` or a single frame.
    ///
    /// - Parameter gamut: The gamut of the frames.
    func openFrames(
        _ limits: DecodeLimits, in gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        try (decoder as? any AnimationDecoder)?.openFrames(of: file, header: header, limits: limits, gamut: gamut)
    }

    /// Turns a complete canvas upright, scales and crops it to ``outputSize``, and applies the layout's steps.
    func finish(_ canvas: Bitmap) throws(CodecError) -> Bitmap {
        let turned = header.orientation == 1 ? canvas : try canvas.oriented(header.orientation)
        return try fit(turned).applying(steps)
    }

    /// Scales and crops the decoder's result to ``outputSize``.
    func fit(_ upright: Bitmap) throws(CodecError) -> Bitmap {
        try upright.fitted(to: placement, filter: filter)
    }
}

extension DecodeSize {
    /// Returns the decoder's memory in bytes, `work`, plus the memory for scaling its bitmap if necessary.
    fileprivate func memory(
        for header: ImageHeader, decoding work: Int, _ placement: ImagePlacement, _ filter: ResizeFilter
    ) -> Int {
        guard placement.scaled != header.uprightSize else { return work }
        guard placement.scaled != result else { return work.adding(placement.scaled.bitmapBytes) }
        // The scaler computes only the crop, unless the search for the most salient part needs the whole scaled image.
        let window = placement.followsContent ? ImagePlacement(placement.scaled).window : placement.window
        let scaling = ImageScaling(from: ImageExtent(result), to: placement.scaled, window: window, filter: filter)
        return work.adding(window.size.bitmapBytes + scaling.workingBytes)
    }
}

extension Result<GainMapDecode, GainMapFault> {
    fileprivate var fault: GainMapFault? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}

extension Int {
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
