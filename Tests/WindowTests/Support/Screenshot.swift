#if GTK
    import CGTK4
    import CalotypeCodecs
    import CalotypeGTK
    import Foundation

    /// The pixels of a widget as its renderer paints them.
    struct Screenshot {
        let width: Int
        let height: Int
        private let pixels: [UInt32]

        @MainActor
        init(of widget: Widget) {
            let paintable = gtk_widget_paintable_new(widget)
            let width = gtk_widget_get_width(widget)
            let height = gtk_widget_get_height(widget)
            let snapshot = gtk_snapshot_new()
            gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
            let node = gtk_snapshot_free_to_node(snapshot)
            var pixels = [UInt32](repeating: 0, count: Int(width * height))
            if let node, let renderer = gtk_native_get_renderer(gtk_widget_get_native(widget)) {
                var viewport = graphene_rect_t()
                graphene_rect_init(&viewport, 0, 0, Float(width), Float(height))
                let texture = gsk_renderer_render_texture(renderer, node, &viewport)
                pixels.withUnsafeMutableBytes { bytes in
                    gdk_texture_download(
                        texture, bytes.baseAddress?.assumingMemoryBound(to: guchar.self), gsize(width) * 4)
                }
                g_object_unref(texture?.raw)
                gsk_render_node_unref(node)
            }
            g_object_unref(paintable?.raw)
            (self.width, self.height, self.pixels) = (Int(width), Int(height), pixels)
        }

        /// Returns the color of a pixel as 0xRRGGBB.
        func color(_ x: Int, _ y: Int) -> UInt32 { pixels[y * width + x] & 0xFF_FFFF }

        var middle: UInt32 { color(width / 2, height / 2) }

        /// Saves the screenshot in the folder that the environment names, for people to look at.
        func save(named name: String) {
            guard let folder = ProcessInfo.processInfo.environment["CALOTYPE_SCREENSHOTS"] else { return }
            let file = name.filter { $0.isLetter || $0.isNumber || $0 == " " }.replacing(" ", with: "-") + ".png"
            let bitmap = try? Bitmap(width: width, height: height, hasAlpha: false) { bytes, _ in
                pixels.withUnsafeBytes { bytes.copyMemory(from: $0) }
            }
            try? bitmap?.encoded(as: .png).write(to: URL(fileURLWithPath: folder).appending(path: file))
        }
    }
#endif
