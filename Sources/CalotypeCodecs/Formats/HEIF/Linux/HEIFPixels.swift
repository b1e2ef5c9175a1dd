#if HEIF
    import CHEIF

    /// The pixels of an image that libheif has decoded, to be converted row by row.
    struct HEIFPixels: ~Copyable {
        private let image: DecodedImage
        private let width: Int
        private let rows: Rows
        /// The conversion of samples of more than 8 bits, or `nil` for those of 8.
        private let samples: DeepSamples?
        private let isPremultiplied: Bool

        private enum Rows {
            /// Rows of RGBA, with two bytes for each sample of more than 8 bits.
            case interleaved(Plane)
            /// Rows of red, green and blue, as many bytes each. There is no alpha.
            case planes(red: Plane, green: Plane, blue: Plane)
        }

        /// - Parameters:
        ///   - image: The image, in RGB. The pixels release it.
        ///   - expected: The size and the bits that the image must have.
        init(
            _ image: OpaquePointer, _ expected: ImageHeader, _ samples: DeepSamples?, isPremultiplied: Bool
        ) throws(CodecError) {
            let image = DecodedImage(pointer: image)
            let isPlanar = heif_image_get_chroma_format(image.pointer) == heif_chroma_444
            let channels =
                isPlanar ? [heif_channel_R, heif_channel_G, heif_channel_B] : [heif_channel_interleaved]
            let planes = channels.compactMap { Plane(image.pointer, $0) }
            guard planes.count == channels.count, planes.allSatisfy({ $0.size == expected.stored }) else {
                let size = planes.first?.size ?? PixelSize(width: 0, height: 0)
                throw CodecError(
                    .damaged, "HEIC is damaged: \(size) pixels came out, \(expected.stored) were announced")
            }
            let bits = samples == nil ? 8 : expected.bitsPerSample
            guard planes.allSatisfy({ $0.bits == bits }) else {
                throw CodecError(.damaged, "HEIC is damaged: \(planes[0].bits) bits came out, \(bits) were announced")
            }
            rows =
                isPlanar
                ? .planes(red: planes[0], green: planes[1], blue: planes[2]) : .interleaved(planes[0])
            (width, self.samples) = (expected.width, samples)
            self.isPremultiplied = isPremultiplied
            self.image = image
        }

        /// Converts and scales row by row.
        ///
        /// - Parameter colors: The conversion of the colors, or `nil` if they are sRGB.
        func bitmap(
            of header: ImageHeader, scaledTo size: DecodeSize, _ colors: ColorConversion?
        ) throws(CodecError) -> Bitmap {
            var y = 0
            guard let samples else {
                let finish = DecodePostprocessing(size: size, colors: colors)
                return try finish.bitmap(rowsOf: header.stored, hasAlpha: header.hasAlpha) {
                    (row: UnsafeMutableBufferPointer<UInt32>) in
                    read(y, into: row)
                    y += 1
                }
            }
            let finish = DecodePostprocessing(size: size)
            return try finish.bitmap(rowsOf: header.stored, samples, hasAlpha: header.hasAlpha) { (row: DeepRow) in
                read(y, into: row)
                y += 1
            }
        }

        /// Converts the first pixels of a row of 8 bits to premultiplied BGRA, as many as `row` has.
        func read(_ y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
            precondition(row.count <= width && samples == nil)
            switch rows {
            case .interleaved(let plane):
                UnsafeMutableRawBufferPointer(row).copyMemory(from: plane.row(y, bytes: 4 * row.count))
                if isPremultiplied { row.setLimitedRGBA() } else { row.premultiplyRGBA() }
            case .planes(let red, let green, let blue):
                row.set(
                    red: red.row(y, of: UInt8.self), green: green.row(y, of: UInt8.self),
                    blue: blue.row(y, of: UInt8.self))
            }
        }

        /// Reads the samples of the first pixels of a row of more than 8 bits, as many as `row` has, as straight RGBA.
        func read(_ y: Int, into row: DeepRow) {
            precondition(row.count <= width)
            guard let samples else { preconditionFailure("rows of 8 bits") }
            switch rows {
            case .interleaved(let plane):
                UnsafeMutableRawBufferPointer(row).copyMemory(from: plane.row(y, bytes: 8 * row.count))
            case .planes(let red, let green, let blue):
                row.set(
                    red: red.row(y, of: UInt16.self), green: green.row(y, of: UInt16.self),
                    blue: blue.row(y, of: UInt16.self), alpha: samples.most)
            }
        }
    }

    /// The owner of an image of libheif.
    private struct DecodedImage: ~Copyable {
        let pointer: OpaquePointer

        deinit { heif_image_release(pointer) }
    }

    /// A channel of an image of libheif, or several that are interleaved.
    private struct Plane {
        let size: PixelSize
        /// The bits of each sample.
        let bits: Int
        private let start: UnsafeRawPointer
        private let rowBytes: Int

        init?(_ image: OpaquePointer, _ channel: heif_channel) {
            var rowBytes: Int32 = 0
            guard let start = heif_image_get_plane_readonly(image, channel, &rowBytes) else { return nil }
            (self.start, self.rowBytes) = (UnsafeRawPointer(start), Int(rowBytes))
            size = PixelSize(
                width: Int(heif_image_get_width(image, channel)), height: Int(heif_image_get_height(image, channel)))
            bits = Int(heif_image_get_bits_per_pixel_range(image, channel))
        }

        func row(_ y: Int, bytes: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start + y * rowBytes, count: bytes)
        }

        func row<Sample>(_ y: Int, of sample: Sample.Type) -> UnsafePointer<Sample> {
            (start + y * rowBytes).assumingMemoryBound(to: sample)
        }
    }

    extension UnsafeMutableBufferPointer<UInt32> {
        /// Converts premultiplied RGBA to BGRA. Limits each color to its alpha, which damaged files may exceed.
        fileprivate func setLimitedRGBA() {
            for x in indices {
                let pixel = self[x]
                let alpha = pixel >> 24
                let red = Swift.min(pixel & 0xFF, alpha), green = Swift.min(pixel >> 8 & 0xFF, alpha)
                self[x] = alpha << 24 | red << 16 | green << 8 | Swift.min(pixel >> 16 & 0xFF, alpha)
            }
        }

        /// Sets opaque pixels from 8-bit samples.
        fileprivate func set(red: UnsafePointer<UInt8>, green: UnsafePointer<UInt8>, blue: UnsafePointer<UInt8>) {
            for x in indices {
                self[x] = 0xFF00_0000 | UInt32(red[x]) << 16 | UInt32(green[x]) << 8 | UInt32(blue[x])
            }
        }
    }

    extension DeepRow {
        fileprivate func set(
            red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>, alpha: UInt16
        ) {
            for x in indices { self[x] = SIMD4(red[x], green[x], blue[x], alpha) }
        }
    }
#endif
