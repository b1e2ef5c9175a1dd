#if GTK
    import CGTK4
    package import CalotypeCodecs

    extension Bitmap {
        /// The picture for GTK: made once, over the same pixels, and kept as long as the bitmap.
        ///
        /// GTK's `B8G8R8A8_PREMULTIPLIED` is the layout of a bitmap as it is, so nothing is copied.
        @MainActor
        package var texture: ObjectReference? {
            let (width, height, stride) = (width, height, stride)
            return companion { pixels in
                let bytes = g_bytes_new_with_free_func(
                    pixels.bytes.baseAddress, gsize(pixels.bytes.count),
                    { owner in
                        guard let owner else { return }
                        Unmanaged<PixelMemory>.fromOpaque(owner).release()
                    }, Unmanaged.passRetained(pixels).toOpaque())
                defer { g_bytes_unref(bytes) }
                let texture = gdk_memory_texture_new(
                    gint(width), gint(height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(stride))
                return texture.map { ObjectReference(adopting: $0.raw) }
            }
        }
    }
#endif
