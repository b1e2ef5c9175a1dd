#if GTK
    import CGTK4
    package import CalotypeCodecs

    extension Bitmap {
        /// The picture for GTK: made once, over the same pixels, and kept as long as the bitmap.
        @MainActor
        package var texture: ObjectReference? {
            let (width, height, stride, format) = (width, height, stride, textureFormat)
            return companion { pixels in
                let bytes = g_bytes_new_with_free_func(
                    pixels.bytes.baseAddress, gsize(pixels.bytes.count),
                    { owner in
                        guard let owner else { return }
                        Unmanaged<PixelMemory>.fromOpaque(owner).release()
                    }, Unmanaged.passRetained(pixels).toOpaque())
                defer { g_bytes_unref(bytes) }
                let texture = gdk_memory_texture_new(gint(width), gint(height), format, bytes, gsize(stride))
                return texture.map { ObjectReference(adopting: $0.raw) }
            }
        }

        /// Premultiplied is the layout of a bitmap as it is, and what OpenGL takes without a change.
        ///
        /// GTK 4.8 painting by Cairo turns just that format into floating point and back in every frame, and is five
        /// times as fast with the other. Without transparency the two are the same.
        @MainActor
        private var textureFormat: GdkMemoryFormat {
            !hasAlpha && Renderer.isCairo ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED
        }
    }

    /// What windows are painted with.
    @MainActor
    private enum Renderer {
        private static var known: Bool?

        /// Whether by Cairo, without a graphics card. As long as there is no window, what the environment says.
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
