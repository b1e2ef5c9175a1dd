#if GdkPixbuf
    /// The properties in a file's header, and the bytes passed to GdkPixbuf: `head`, then `content`, then `tail`.
    struct GdkPixbufFacts {
        let size: PixelSize
        var mayHaveAlpha = true
        /// The replacement for the file's bytes before `content`.
        var head: [UInt8] = []
        let content: Range<Int>
        var tail: [UInt8] = []
    }

    extension GdkPixbufFacts {
        init?(bmp file: ByteReader) {
            guard let layout = BMPLayout(file), layout.pixels <= file.count else { return nil }
            // Pixels that run lengths skip are black, as in browsers. GdkPixbuf leaves them clear.
            self.init(
                size: layout.size, mayHaveAlpha: ![1, 2].contains(layout.compression), head: layout.head(file),
                content: layout.pixels..<file.count)
        }

        init?(ico file: ByteReader) {
            guard let icon = ICOImage(file), let bitmap = ICOBitmap(icon, file) else { return nil }
            self.init(size: bitmap.size, content: icon.content)
        }

        init?(tga file: ByteReader) {
            guard let width = file.uint16(at: 12, bigEndian: false), let height = file.uint16(at: 14, bigEndian: false)
            else { return nil }
            self.init(size: PixelSize(width: width, height: height), content: 0..<file.count)
        }

        /// Appends a line feed to pixels stored as text: GdkPixbuf ignores a number at the very end of the file.
        init?(pnm file: ByteReader) {
            guard let header = PNMHeader(file) else { return nil }
            self.init(
                size: header.size, mayHaveAlpha: false, content: 0..<file.count, tail: header.isText ? [0x0A] : [])
        }
    }
#endif
