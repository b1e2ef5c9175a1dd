#if LongTail
    extension LongTailFacts {
        /// The tags of the first directory (TIFF 6.0, section 2).
        init?(tiff file: ByteReader) {
            let tags = TIFFTags(file)
            guard let width = tags[256], let height = tags[257] else { return nil }
            let orientation = tags[274].flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
            self.init(size: PixelSize(width: width, height: height).turned(from: orientation))
            // A tile is decoded whole, however little of it the image covers.
            if let tileWidth = tags[322], let tileHeight = tags[323] {
                let (tile, image) = (Self.product(tileWidth, tileHeight), Self.product(width, height))
                guard tile <= max(Self.product(4, image), 1 << 20) else { return nil }
            }
        }

        private init(size: PixelSize) {
            self.size = size
            mayHaveAlpha = true
        }
    }

    private struct TIFFTags {
        private var values: [Int: Int] = [:]

        init(_ file: ByteReader) {
            let isBig = file.uint16(at: 0) == 0x4D4D
            guard let directory = file.uint32(at: 4, bigEndian: isBig),
                let count = file.uint16(at: directory, bigEndian: isBig)
            else { return }
            for index in 0..<count {
                let entry = directory + 2 + 12 * index
                guard let tag = file.uint16(at: entry, bigEndian: isBig),
                    let type = file.uint16(at: entry + 2, bigEndian: isBig)
                else { return }
                // Numbers of two or four bytes; others are of no use here.
                let value =
                    type == 3
                    ? file.uint16(at: entry + 8, bigEndian: isBig)
                    : type == 4 ? file.uint32(at: entry + 8, bigEndian: isBig) : nil
                if values[tag] == nil { values[tag] = value }
            }
        }

        subscript(tag: Int) -> Int? { values[tag] }
    }
#endif
