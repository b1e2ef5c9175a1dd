#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import Testing

    /// Images of 50 megapixels, as many as a server permits by default.
    @Suite struct LargestSourceTests {
        /// A decoder whose files all have one header.
        private struct Announcing: ImageDecoder {
            let decoder: any ImageDecoder
            let announced: ImageHeader

            func header(of data: Data) -> ImageHeader? { announced }

            func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
                decoder.workingBytes(for: header, scaledTo: size)
            }

            func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
                throw CodecError(.damaged, "no pixels")
            }
        }

        static let files: [(decoder: any ImageDecoder, samples: Double, bits: Int)] = [
            (JPEGDecoder(), 3, 8), (PNGDecoder(), 4, 16), (WebPDecoder(), 4, 8), (AVIFDecoder(), 1.5, 8),
            (AVIFDecoder(), 4, 12), (GIFDecoder(), 1, 8), (QOIDecoder(), 4, 8), (HEIFDecoder(), 3, 8),
            (HEIFDecoder(), 3, 10), (JPEGXLDecoder(), 3, 8), (JPEGXLDecoder(), 4, 16), (TIFFDecoder(), 4, 16),
            (RowFileDecoder(), 3, 8),
        ]

        @Test(arguments: files.indices)
        func `it decodes where there is memory for it, and its refusal names the memory`(index: Int) throws {
            let file = Self.files[index]
            let header = ImageHeader(
                format: ImageFormat(rawValue: "large"), width: 8000, height: 6250, hasAlpha: true, isProgressive: true,
                samplesPerPixel: file.samples, bitsPerSample: file.bits)
            let decoders = DecoderRegistry([Announcing(decoder: file.decoder, announced: header)])
            let target = ResizeTarget(width: 400)
            var limits = DecodeLimits(memory: 24 << 30)
            let cost = try decoders.plan(for: Data([0]), target: target, limits: limits).cost
            limits.maxDecodeBytes = cost - 1
            let error = #expect(throws: CodecError.self) {
                try decoders.plan(for: Data([0]), target: target, limits: limits)
            }
            #expect(error?.code == .tooLarge)
            let taken = cost < 10_000_000 ? "takes " : "takes \((cost + 999_999) / 1_000_000) MB"
            #expect(error?.message.contains(taken) == true, "\(error?.message ?? "")")
        }

        @Test func `a process with little memory permits half a gigabyte`() {
            #expect(DecodeLimits(memory: 1 << 30) == DecodeLimits())
            #expect(DecodeLimits(memory: 8 << 30).maxDecodeBytes == 2 << 30)
        }
    }
#endif
