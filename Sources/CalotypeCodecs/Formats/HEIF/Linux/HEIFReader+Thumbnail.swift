#if HEIF
    extension HEIFReader {
        /// Decodes the smallest thumbnail from which the filter makes a sharp result, or returns `nil` if the file has none, or
        /// one that cannot be decoded, or might show something else than the primary image.
        ///
        /// A camera stores thumbnails of a few sizes beside the image. Each must have the image's shape, and be turned as the
        /// image is. The thumbnails of an image with transparency are not used. Those of phones are soft: a result of a phone's
        /// thumbnail of 320 × 240 pixels scores 42 points of SSIMULACRA2 against one of the image at nearly the same size, and
        /// 67 at half of it.
        ///
        /// - Parameters:
        ///   - items: The items of the same file.
        ///   - memory: The number of bytes that the decode may take.
        func thumbnail(
            for header: ImageHeader, scaledTo size: DecodeSize, _ items: HEIFItems, within memory: Int
        ) throws(CodecError) -> Bitmap? {
            guard !header.hasAlpha, let turns = items.turns(of: items.primary) else { return nil }
            let suitable = primary.thumbnails.compactMap { item -> (item: UInt32, header: ImageHeader)? in
                guard let image = primary.thumbnail(item), !image.hasAlpha, image.size.isSmaller(than: header.stored),
                    image.size.covers(size.least), image.size.hasShape(of: header.stored),
                    items.turns(of: Int(item)) == turns
                else { return nil }
                let small = ImageHeader(
                    format: .heic, width: image.size.width, height: image.size.height,
                    bitsPerSample: image.bitsPerSample)
                return HEIFDecoder.memory.wholeBytes(for: small, scaledTo: size) <= memory ? (item, small) : nil
            }
            guard let best = suitable.min(by: { $0.header.width < $1.header.width }),
                let image = primary.thumbnail(best.item)
            else { return nil }
            let colors = image.hasColors ? image.colors : primary.colors
            let samples = DeepSamples(bits: best.header.bitsPerSample, colors, within: size.gamut)
            guard let pixels = try? decode(image, as: best.header, samples) else { return nil }
            return try pixels.bitmap(of: best.header, scaledTo: size, colors)
        }
    }

    extension HEIFItems {
        /// Returns the bytes of the properties that turn and mirror an item, or `nil` if a property crops it.
        fileprivate func turns(of item: Int) -> [[UInt8]]? {
            guard let all = properties(of: item)?.filter(\.isTransformation), !all.contains(where: { $0.isOf("clap") })
            else { return nil }
            return all.map { $0.box.type.copy() + $0.box.content.copy() }
        }
    }

    extension PixelSize {
        fileprivate func isSmaller(than other: PixelSize) -> Bool { width < other.width && height < other.height }

        fileprivate func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }

        /// Whether the proportions are the same, apart from the rounding of a side.
        fileprivate func hasShape(of other: PixelSize) -> Bool {
            abs(width * other.height - height * other.width) <= max(other.width, other.height)
        }
    }
#endif
