#if HEIF
    import CHEIF

    /// The pixels of an image that libheif has decoded, to be converted row by row.
    struct HEIFPixels: ~Copyable {
        private let image: DecodedImage
        private let width: Int
        private let bits: Int
        private let rows: Rows
        private let mapping: ToneMapping?
        private let isPremultiplied: Bool
        /// Memory for a row of samples with more than 8 bits, if there is a mapping of them.
        private let wide: WorkMemory

        private enum Rows {
            /// Rows of RGBA, with two bytes for each sample if there is a mapping of them.
            case interleaved(Plane)
            /// Rows of red, green and blue, with two bytes for each sample of more than 8 bits. There is no alpha.
            case planes(red: Plane, green: Plane, blue: Plane)
        }

        /// - Parameters:
        ///   - image: The image, in RGB. The pixels release it.
        ///   - expected: The size and the bits that the image must have.
        init(
            _ image: OpaquePointer, _ expected: ImageHeader, _ mapping: ToneMapping?, isPremultiplied: Bool
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
            let bits = planes[0].bits
            guard mapping == nil || bits == expected.bitsPerSample, planes.allSatisfy({ $0.bits == bits }),
                (8...16).contains(bits)
            else {
                throw CodecError(
                    .damaged, "HEIC is damaged: \(bits) bits came out, \(expected.bitsPerSample) were announced")
            }
            let wide = try WorkMemory(bytes: mapping == nil ? 0 : 8 * expected.width)
            rows =
                isPlanar
                ? .planes(red: planes[0], green: planes[1], blue: planes[2]) : .interleaved(planes[0])
            (width, self.bits, self.mapping) = (expected.width, bits, mapping)
            self.isPremultiplied = isPremultiplied
            self.wide = wide
            self.image = image
        }

        /// Converts and scales row by row.
        func bitmap(of header: ImageHeader, scaledTo target: DecodeSize) throws(CodecError) -> Bitmap {
            var y = 0
            return try Bitmap(
                rowsOf: header.stored, scaledTo: header.stored(target.result), by: target.filter,
                hasAlpha: header.hasAlpha
            ) { row in
                read(y, into: row)
                y += 1
            }
        }

        /// Converts the first pixels of a row to premultiplied BGRA, as many as `row` has.
        func read(_ y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
            precondition(row.count <= width)
            let samples = UnsafeMutableBufferPointer(
                start: wide.start.assumingMemoryBound(to: SIMD4<UInt16>.self), count: row.count)
            switch (rows, mapping) {
            case (.interleaved(let plane), nil):
                UnsafeMutableRawBufferPointer(row).copyMemory(from: plane.row(y, bytes: 4 * row.count))
                if isPremultiplied { row.setLimitedRGBA() } else { row.premultiplyRGBA() }
            case (.interleaved(let plane), let mapping?):
                UnsafeMutableRawBufferPointer(samples).copyMemory(from: plane.row(y, bytes: 8 * row.count))
                mapping.map(samples, to: row)
            case (.planes(let red, let green, let blue), nil):
                if bits == 8 {
                    row.set(
                        red: red.row(y, of: UInt8.self), green: green.row(y, of: UInt8.self),
                        blue: blue.row(y, of: UInt8.self))
                } else {
                    // libheif, too, cuts bits off.
                    row.set(
                        red: red.row(y, of: UInt16.self), green: green.row(y, of: UInt16.self),
                        blue: blue.row(y, of: UInt16.self), droppedBits: UInt16(bits - 8))
                }
            case (.planes(let red, let green, let blue), let mapping?):
                let opaque = UInt16(truncatingIfNeeded: 1 << bits - 1)
                samples.set(
                    red: red.row(y, of: UInt16.self), green: green.row(y, of: UInt16.self),
                    blue: blue.row(y, of: UInt16.self), alpha: opaque)
                mapping.map(samples, to: row)
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

        /// Sets opaque pixels from the highest 8 bits of samples.
        fileprivate func set(
            red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>,
            droppedBits: UInt16
        ) {
            for x in indices {
                // A damaged image may have larger samples than its bits permit.
                let (red, green) = (UInt32(red[x] &>> droppedBits & 255), UInt32(green[x] &>> droppedBits & 255))
                self[x] = 0xFF00_0000 | red << 16 | green << 8 | UInt32(blue[x] &>> droppedBits & 255)
            }
        }
    }

    extension UnsafeMutableBufferPointer<SIMD4<UInt16>> {
        fileprivate func set(
            red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>, alpha: UInt16
        ) {
            for x in indices { self[x] = SIMD4(red[x], green[x], blue[x], alpha) }
        }
    }
#endif
