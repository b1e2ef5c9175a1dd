#if GdkPixbuf
    import CGdkPixbuf

    /// A GdkPixbuf loader for a given format, so that GdkPixbuf neither guesses the format nor loads other loaders.
    struct PixbufLoader: ~Copyable {
        private let loader: UnsafeMutablePointer<GdkPixbufLoader>
        private let kind: GdkPixbufKind

        init(_ kind: GdkPixbufKind) throws(CodecError) {
            var error: UnsafeMutablePointer<GError>?
            guard let loader = gdk_pixbuf_loader_new_with_type(kind.rawValue, &error) else {
                g_clear_error(&error)
                throw CodecError(.unsupported, "\(kind.format) is not supported by the installed GdkPixbuf")
            }
            self.loader = loader
            self.kind = kind
        }

        deinit { calotype_pixbuf_loader_unref(loader) }

        /// Decodes to premultiplied BGRA.
        func decode(_ file: UnsafeRawBufferPointer, _ facts: GdkPixbufFacts) throws(CodecError) -> Bitmap {
            var error: UnsafeMutablePointer<GError>?
            defer { g_clear_error(&error) }
            let content = UnsafeRawBufferPointer(rebasing: file[facts.content])
            let isWritten =
                facts.head.withUnsafeBytes { write($0, &error) } && write(content, &error)
                && facts.tail.withUnsafeBytes { write($0, &error) }
            // Close the loader even after an error: a loader destroyed while open prints a warning.
            let isClosed = isWritten ? gdk_pixbuf_loader_close(loader, &error) : gdk_pixbuf_loader_close(loader, nil)
            guard isWritten, isClosed != 0, let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader),
                let source = gdk_pixbuf_read_pixels(pixbuf)
            else { throw failure(error) }
            let size = PixelSize(width: Int(gdk_pixbuf_get_width(pixbuf)), height: Int(gdk_pixbuf_get_height(pixbuf)))
            let (channels, rowBytes) = (Int(gdk_pixbuf_get_n_channels(pixbuf)), Int(gdk_pixbuf_get_rowstride(pixbuf)))
            let hasAlpha = channels == 4 && facts.mayHaveAlpha
            return try Bitmap(size, hasAlpha: hasAlpha) { pixels, stride in
                let rows = PixelRows(pixels, size: size, stride: stride)
                for y in 0..<size.height { rows.row(y).setRGB(source + y * rowBytes, channels: channels, hasAlpha) }
            }
        }

        private func write(_ bytes: UnsafeRawBufferPointer, _ error: inout UnsafeMutablePointer<GError>?) -> Bool {
            guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
            return gdk_pixbuf_loader_write(
                loader, start.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &error) != 0
        }

        private func failure(_ error: UnsafeMutablePointer<GError>?) -> CodecError {
            let message = error.map { String(cString: calotype_pixbuf_message($0)) } ?? "no pixels came out"
            let isMemory = error.map { calotype_pixbuf_has_no_memory($0) != 0 } ?? false
            return CodecError(isMemory ? .tooLarge : .damaged, "\(kind.format) is damaged: \(message)")
        }
    }

    extension UnsafeMutableBufferPointer<UInt32> {
        /// Converts straight RGB or RGBA bytes to premultiplied BGRA.
        fileprivate func setRGB(_ source: UnsafePointer<UInt8>, channels: Int, _ hasAlpha: Bool) {
            for x in indices {
                let pixel = source + x * channels
                let alpha = hasAlpha ? UInt32(pixel[3]) : 255
                self[x] = alpha << 24 | UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0])
            }
            premultiplyRGBA()
        }
    }
#endif
