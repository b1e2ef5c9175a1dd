#if GdkPixbuf
    /// The best image in an ICO or CUR file, chosen from the image directory at the start of the file.
    struct ICOImage {
        /// The range of the image, which may exceed the file.
        let content: Range<Int>
        let isPNG: Bool

        /// Chooses the widest image and, among equal widths, the one with the most bits per pixel. Returns `nil` if the
        /// directory is truncated or empty.
        init?(_ file: ByteReader) {
            guard let count = file.uint16(at: 4, bigEndian: false) else { return nil }
            var best: (width: Int, bits: Int, content: Range<Int>)?
            for index in 0..<count {
                let place = 6 + 16 * index
                guard let width = file.uint8(at: place), let bits = file.uint16(at: place + 6, bigEndian: false),
                    let size = file.uint32(at: place + 8, bigEndian: false),
                    let offset = file.uint32(at: place + 12, bigEndian: false)
                else { return nil }
                // A width of 0 stands for 256.
                let entry = (width: width == 0 ? 256 : width, bits: bits, content: offset..<offset + size)
                if (entry.width, entry.bits) > (best?.width ?? 0, best?.bits ?? 0) { best = entry }
            }
            guard let best else { return nil }
            content = best.content
            isPNG = file.uint32(at: content.lowerBound) == 0x8950_4E47
        }
    }
#endif
