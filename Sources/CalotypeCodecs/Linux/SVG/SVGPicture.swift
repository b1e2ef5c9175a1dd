#if SVG
    import CRsvg

    /// An SVG document opened by librsvg.
    struct SVGPicture: ~Copyable {
        private let handle: UnsafeMutablePointer<RsvgHandle>

        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            var error: UnsafeMutablePointer<GError>?
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let handle = rsvg_handle_new_from_data(start, UInt(file.count), &error) else {
                defer { g_clear_error(&error) }
                throw Self.damaged(error)
            }
            self.handle = handle
        }

        deinit { calotype_svg_unref(handle) }

        func draw(_ size: PixelSize) throws(CodecError) -> Bitmap {
            try Bitmap(width: size.width, height: size.height, hasAlpha: true) { (pixels, stride) throws(CodecError) in
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
                guard rsvg_handle_render_document(handle, context, &area, &error) != 0,
                    cairo_status(context) == CAIRO_STATUS_SUCCESS
                else { throw Self.damaged(error) }
                cairo_surface_flush(surface)
            }
        }

        private static func damaged(_ error: UnsafeMutablePointer<GError>?) -> CodecError {
            CodecError(
                .damaged,
                "SVG is damaged: \(error.map { String(cString: calotype_svg_message($0)) } ?? "it cannot be drawn")"
            )
        }
    }
#endif
