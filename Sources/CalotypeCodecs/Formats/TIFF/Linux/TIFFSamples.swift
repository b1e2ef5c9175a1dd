#if TIFF
    import CTIFF

    /// The samples of a gray, RGB, CMYK or palette image with 8 or 16 bits, read strip by strip or tile by tile.
    struct TIFFSamples: ~Copyable {
        private let header: CalotypeTIFFHeader
        private let colors: TIFFColors
        /// A strip or tile: with all samples, or one plane after the other.
        private let block: WorkMemory
        private let planeBytes: Int
        /// A row of the block as straight RGBA, premultiplied RGBA or CMYK.
        private let wide: WorkMemory

        /// The samples that are read: all of them, or the planes of the colors and of alpha.
        private var planes: [UInt16] {
            guard header.is_planar != 0 else { return [0] }
            return (0..<header.colors) + (colors.isOpaque ? [] : [header.alpha_sample])
        }

        /// - Parameter largestBlock: The limit on the memory of a strip or tile, in bytes.
        init(_ header: CalotypeTIFFHeader, largestBlock: Int) throws(CodecError) {
            let (colors, isPlanar) = (TIFFColors(header), header.is_planar != 0)
            let planeCount = isPlanar ? Int(header.colors) + (colors.isOpaque ? 0 : 1) : 1
            let pixelBytes = (isPlanar ? 1 : Int(header.samples)) * Int(header.bits) / 8
            // The sides of a block are 32-bit numbers, so that the product may overflow.
            let bytes = Double(header.block_width) * Double(header.block_height) * Double(pixelBytes)
            guard bytes * Double(planeCount) <= Double(largestBlock) else {
                throw CodecError(
                    .damaged, "TIFF is damaged: blocks of \(header.block_width) × \(header.block_height) pixels")
            }
            let block = try WorkMemory(bytes: planeCount * Int(bytes))
            block.bytes.update(repeating: 0, count: planeCount * Int(bytes))
            let wide = try WorkMemory(bytes: 8 * Int(min(header.block_width, header.width)))
            (self.header, self.colors, planeBytes) = (header, colors, Int(bytes))
            self.block = block
            self.wide = wide
        }

        /// Writes all pixels in stored order, as premultiplied BGRA or as CMYK. Returns `false` if they are damaged.
        func read(_ tiff: OpaquePointer, into pixels: UnsafeMutablePointer<UInt32>) -> Bool {
            readBlocks(tiff) { row, left, y, count in
                let target = UnsafeMutableBufferPointer(start: pixels + y * Int(header.width) + left, count: count)
                let wide = DeepRow(start: wide.start.assumingMemoryBound(to: SIMD4<UInt16>.self), count: count)
                convert(row, wide)
                colors.finish(wide, target)
            }
        }

        /// Writes the samples of all pixels in stored order, as RGBA. Returns `false` if they are damaged.
        func read(_ tiff: OpaquePointer, into deep: borrowing DeepPixels) -> Bool {
            readBlocks(tiff) { row, left, y, count in
                convert(row, DeepRow(rebasing: deep.row(y)[left..<left + count]))
            }
        }

        /// Whether the colors are multiplied by their alpha.
        var isPremultiplied: Bool { colors.isPremultiplied }

        /// Reads block by block. Calls `take` for each row of a block with its number there, the place of its first pixel in the image,
        /// and the number of its pixels there.
        private func readBlocks(
            _ tiff: OpaquePointer, _ take: (_ row: Int, _ left: Int, _ y: Int, _ count: Int) -> Void
        ) -> Bool {
            let (width, height) = (Int(header.width), Int(header.height))
            let (blockWidth, blockHeight) = (Int(header.block_width), Int(header.block_height))
            for top in stride(from: 0, to: height, by: blockHeight) {
                for left in stride(from: 0, to: width, by: blockWidth) {
                    guard readBlock(tiff, left, top, rows: min(blockHeight, height - top)) else { return false }
                    for row in 0..<min(blockHeight, height - top) {
                        take(row, left, top + row, min(blockWidth, width - left))
                    }
                }
            }
            return true
        }

        private func readBlock(_ tiff: OpaquePointer, _ left: Int, _ top: Int, rows: Int) -> Bool {
            let bytes = header.is_tiled != 0 ? planeBytes : planeBytes / Int(header.block_height) * rows
            return withUnsafePointer(to: header) { header in
                planes.enumerated().allSatisfy { number, plane in
                    calotype_tiff_block(
                        tiff, header, UInt32(left), UInt32(top), plane, block.start + number * planeBytes,
                        tmsize_t(bytes)) != 0
                }
            }
        }

        private func convert(_ row: Int, _ pixels: DeepRow) {
            if header.bits == 16 {
                fill(pixels, row, of: UInt16.self) { $0 }
            } else {
                fill(pixels, row, of: UInt8.self) { UInt16($0) * 257 }
            }
        }

        private func fill<Sample>(
            _ pixels: UnsafeMutableBufferPointer<SIMD4<UInt16>>, _ row: Int, of: Sample.Type,
            _ value: (Sample) -> UInt16
        ) {
            let isPlanar = header.is_planar != 0
            let step = isPlanar ? 1 : Int(header.samples)
            let first = block.start.assumingMemoryBound(to: Sample.self) + row * Int(header.block_width) * step
            let plane = isPlanar ? planeBytes / MemoryLayout<Sample>.stride : 1
            // In planes, alpha follows the colors, whatever lies between them in the file.
            let alpha = isPlanar ? plane * Int(header.colors) : Int(header.alpha_sample)
            var sample = first
            for x in pixels.indices {
                pixels[x] = colors.pixel(
                    value(sample[0]), alpha: colors.isOpaque ? 65535 : value(sample[alpha])
                ) { value(sample[$0 * plane]) }
                sample += step
            }
        }
    }

    /// The conversion of the samples of a pixel.
    private struct TIFFColors {
        private enum Kind {
            case gray(inverted: Bool)
            case rgb
            case cmyk
            case palette([SIMD4<UInt16>])
        }

        private let kind: Kind
        let isPremultiplied: Bool
        let isOpaque: Bool

        init(_ header: CalotypeTIFFHeader) {
            kind =
                switch Int32(header.photometric) {
                case PHOTOMETRIC_RGB: .rgb
                case PHOTOMETRIC_SEPARATED: .cmyk
                case PHOTOMETRIC_PALETTE: .palette(Self.palette(header))
                default: .gray(inverted: Int32(header.photometric) == PHOTOMETRIC_MINISWHITE)
                }
            isPremultiplied = Int(header.alpha) == CALOTYPE_TIFF_PREMULTIPLIED
            isOpaque = Int(header.alpha) == CALOTYPE_TIFF_OPAQUE
        }

        /// Returns the colors. Old programs wrote 8 bits: then no number exceeds 255. Of 16 bits only the upper half counts,
        /// because most programs leave the lower one 0, so that 255 is 65,280.
        private static func palette(_ header: CalotypeTIFFHeader) -> [SIMD4<UInt16>] {
            let (red, green, blue) = header.palette
            guard let red, let green, let blue else { return [] }
            let colors = (0..<256).map { SIMD4(red[$0], green[$0], blue[$0], 0) }
            let isNarrow = colors.allSatisfy { $0.max() < 256 }
            return colors.map { (isNarrow ? $0 : $0 &>> 8) &* 257 }
        }

        /// Returns red, green, blue and alpha, or cyan, magenta, yellow and black.
        @inline(__always)
        func pixel(_ first: UInt16, alpha: UInt16, _ sample: (Int) -> UInt16) -> SIMD4<UInt16> {
            switch kind {
            case .gray(let inverted):
                // White by 0 is the color without alpha: premultiplied, it is as much as the alpha.
                let gray = !inverted ? first : isPremultiplied ? alpha - min(first, alpha) : 65535 - first
                return SIMD4(gray, gray, gray, alpha)
            case .rgb: return SIMD4(first, sample(1), sample(2), alpha)
            case .cmyk: return SIMD4(first, sample(1), sample(2), sample(3))
            case .palette(let colors):
                var color = colors[Int(first >> 8)]
                color.w = alpha
                return color
            }
        }

        /// Rounds to 8 bits, after premultiplying.
        func finish(
            _ pixels: UnsafeMutableBufferPointer<SIMD4<UInt16>>, _ target: UnsafeMutableBufferPointer<UInt32>
        ) {
            switch kind {
            case .cmyk: target.setCMYK(pixels)
            // The colors of a palette are those of opaque pixels, whatever the file says of its alpha.
            case .palette: target.setPremultiplied(pixels)
            case .gray, .rgb: isPremultiplied ? target.setLimited(pixels) : target.setPremultiplied(pixels)
            }
        }
    }

    extension UnsafeMutableBufferPointer<UInt32> {
        /// Sets the pixels to BGRA, from premultiplied RGBA. Limits each color to its alpha, which damaged files exceed.
        fileprivate func setLimited(_ wide: UnsafeMutableBufferPointer<SIMD4<UInt16>>) {
            for x in indices {
                let pixel = wide[x].clamped(lowerBound: .zero, upperBound: SIMD4(repeating: wide[x].w)).rounded
                self[x] = pixel.w << 24 | pixel.x << 16 | pixel.y << 8 | pixel.z
            }
        }

        /// Sets the inks as a JPEG stores them, with 255 for no ink: in a TIFF, 0 means no ink.
        fileprivate func setCMYK(_ wide: UnsafeMutableBufferPointer<SIMD4<UInt16>>) {
            for x in indices {
                let inks = SIMD4<UInt32>(repeating: 255) &- wide[x].rounded
                self[x] = inks.w << 24 | inks.z << 16 | inks.y << 8 | inks.x
            }
        }
    }

    extension SIMD4<UInt16> {
        /// The samples with 8 bits, rounded to nearest.
        fileprivate var rounded: SIMD4<UInt32> {
            (SIMD4<UInt32>(truncatingIfNeeded: self) &* 255 &+ 32767) / 65535
        }
    }
#endif
