#if GTK
    import CGTK4
    package import CalotypeCodecs

    extension Bitmap {
        /// The bitmap as a GdkPaintable over the same pixels, created on first use and kept as long as the bitmap.
        @MainActor
        package var paintable: ObjectReference? {
            companion { pixels in
                // GTK takes every pixel for sRGB.
                let shown = gamut == .sRGB ? nil : try? converted(to: .sRGB)
                return shown?.paintable ?? makePaintable(over: pixels, byCairo: Renderer.isCairo)
            }
        }

        /// Returns a texture or, if Cairo paints, a paintable in Cairo's format: GTK 4.8 would otherwise convert the
        /// texture to floating point and back in every frame.
        func makePaintable(over pixels: PixelMemory, byCairo: Bool) -> ObjectReference? {
            let owner = Unmanaged.passRetained(pixels).toOpaque()
            let paintable = (byCairo ? cairoPixels(pixels, owner) : nil) ?? texture(pixels, owner)
            return paintable.map { ObjectReference(adopting: $0) }
        }

        private func cairoPixels(_ pixels: PixelMemory, _ owner: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            calotype_pixels_new(
                pixels.bytes.baseAddress, gint(width), gint(height), gint(stride), hasAlpha ? 1 : 0, owner,
                Attachment.release)
        }

        /// Returns a texture. `B8G8R8A8_PREMULTIPLIED` is the pixel layout of a bitmap.
        private func texture(_ pixels: PixelMemory, _ owner: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            let bytes = g_bytes_new_with_free_func(
                pixels.bytes.baseAddress, gsize(pixels.bytes.count), Attachment.release, owner)
            defer { g_bytes_unref(bytes) }
            return gdk_memory_texture_new(
                gint(width), gint(height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(stride))?.raw
        }
    }

    /// The renderer that paints windows.
    @MainActor
    private enum Renderer {
        private static var known: Bool?

        /// Whether Cairo paints the windows, on the CPU. Before the first window has a renderer, this depends on
        /// the environment variable `GSK_RENDERER`.
        static var isCairo: Bool {
            if let known { return known }
            if let renderer = ofFirstWindow {
                let name = g_type_name_from_instance(renderer).map { String(cString: $0) }
                known = name == "GskCairoRenderer"
            }
            return known ?? (g_getenv("GSK_RENDERER").map { String(cString: $0) } == "cairo")
        }

        private static var ofFirstWindow: UnsafeMutablePointer<GTypeInstance>? {
            guard let window = g_list_model_get_item(gtk_window_get_toplevels(), 0) else { return nil }
            defer { g_object_unref(window) }
            let renderer = gtk_native_get_renderer(OpaquePointer(window))
            return renderer.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GTypeInstance.self) }
        }
    }
#endif
