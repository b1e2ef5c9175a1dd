#if SVG
    import CRsvg

    struct SVGPicture: ~Copyable {
        private let handle: UnsafeMutablePointer<RsvgHandle>

        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            var error: UnsafeMutablePointer<GError>?
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let handle = rsvg_handle_new_from_data(start, UInt(file.count), &error) else {
                defer { g_clear_error(&error) }
                throw Self.failure(error)
            }
            self.handle = handle
        }

        deinit { calotype_svg_unref(handle) }

        /// The size in pixels, as in browsers. A missing side follows from the other and the aspect ratio of the view
        /// box (or 2:1). Without either side, the size is that of the view box, or 300 × 150.
        var size: PixelSize {
            get throws(CodecError) {
                var (width, height, box) = (RsvgLength(), RsvgLength(), RsvgRectangle())
                var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
                rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &width, &hasHeight, &height, &hasBox, &box)
                let isShown = hasBox != 0 && box.width > 0 && box.height > 0
                let ratio = isShown ? box.width / box.height : 2
                let wide = hasWidth != 0 ? width.pixels : nil
                let high = hasHeight != 0 ? height.pixels : nil
                let (standardWidth, standardHeight) = isShown ? (box.width, box.height) : (300, 150)
                let shown = (
                    width: wide ?? high.map { $0 * ratio } ?? standardWidth,
                    height: high ?? wide.map { $0 / ratio } ?? standardHeight
                )
                guard shown.width > 0, shown.height > 0 else {
                    throw CodecError(.damaged, "SVG without an area: there is nothing to show")
                }
                return PixelSize(width: PixelSize.pixels(shown.width), height: PixelSize.pixels(shown.height))
            }
        }

        func draw(_ size: PixelSize) throws(CodecError) -> Bitmap {
            try Bitmap(size, hasAlpha: true) { (pixels, stride) throws(CodecError) in
                pixels.initializeMemory(as: UInt8.self, repeating: 0)
                let surface = cairo_image_surface_create_for_data(
                    pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width),
                    Int32(size.height), Int32(stride))
                defer { cairo_surface_destroy(surface) }
                let context = cairo_create(surface)
                defer { cairo_destroy(context) }
                var area = RsvgRectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
                var error: UnsafeMutablePointer<GError>?
                defer { g_clear_error(&error) }
                let isDrawn = rsvg_handle_render_document(handle, context, &area, &error) != 0
                let status = cairo_status(context)
                if status == CAIRO_STATUS_NO_MEMORY { throw Self.noMemory }
                guard isDrawn, status == CAIRO_STATUS_SUCCESS else { throw Self.failure(error) }
                cairo_surface_flush(surface)
            }
        }

        private static let noMemory = CodecError(.tooLarge, "no memory to draw this SVG")

        private static func failure(_ error: UnsafeMutablePointer<GError>?) -> CodecError {
            // Remove the line feed that ends libxml2's messages.
            let message = error.map { String(cString: calotype_svg_message($0)).split(separator: "\n").joined() }
            // librsvg has no code for cairo's status; its text has the status's name.
            if let message, message.contains("NoMemory") || message.contains("out of memory") { return noMemory }
            return CodecError(.damaged, "SVG is damaged: \(message ?? "it cannot be drawn")")
        }
    }

    extension RsvgLength {
        /// The length in pixels, or `nil` if it is relative.
        fileprivate var pixels: Double? {
            let factor: Double? =
                switch unit {
                case RSVG_UNIT_PX: 1
                case RSVG_UNIT_IN: 96
                case RSVG_UNIT_CM: 96 / 2.54
                case RSVG_UNIT_MM: 96 / 25.4
                case RSVG_UNIT_PT: 96.0 / 72
                case RSVG_UNIT_PC: 16
                // Of the font size that an element without one has in browsers.
                case RSVG_UNIT_EM: 16
                case RSVG_UNIT_EX: 8
                default: nil
                }
            guard let factor, length.isFinite else { return nil }
            return abs(length * factor)
        }
    }
#endif
