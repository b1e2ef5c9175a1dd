#if GTK
    import CAdwaita
    import Calotype
    import CalotypeBase
    import CalotypeCodecs
    import CalotypeGTK
    import Foundation

    // Actions on the image: copy, save, open elsewhere.

    extension Viewer {
        /// Copies the image to the clipboard, as large as the loader's limits allow.
        func copy() {
            act { [loader] viewer, shown, request in
                let bitmap = try? await loader.fetch(Rendition.whole.request(request))
                guard !Task.isCancelled else { return }
                let clipboard = gtk_widget_get_clipboard(viewer.widget)
                guard let bitmap, let texture = Viewer.texture(bitmap) else {
                    return viewer.tell(ViewerTexts.notCopied)
                }
                gdk_clipboard_set_texture(clipboard, texture.opaque)
                viewer.tell(ViewerTexts.copied)
            }
        }

        /// Returns a texture with a copy of the pixels: the clipboard may keep it for longer than the caches keep the
        /// image.
        private static func texture(_ bitmap: Bitmap) -> ObjectReference? {
            let bytes = bitmap.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
            defer { g_bytes_unref(bytes) }
            let texture = gdk_memory_texture_new(
                gint(bitmap.width), gint(bitmap.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(bitmap.stride))
            return texture.map { ObjectReference(adopting: $0.raw) }
        }

        func chooseFile() {
            guard let shown else { return }
            let window = gtk_widget_get_root(widget).map { UnsafeMutablePointer<GtkWindow>($0) }
            let dialog: OpaquePointer = gtk_file_chooser_native_new(
                ViewerTexts.save, window, GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil)
            gtk_file_chooser_set_current_name(
                dialog, FileNaming.name(for: shown.item.name, shown.facts.header?.format))
            Dialogs.show(dialog) { [weak self] file in
                if let path = Dialogs.path(of: file) { self?.save(to: path) }
            }
        }

        /// Writes the original bytes.
        func save(to file: LocalPath) {
            act { [loader, readers] viewer, shown, request in
                var request = request
                // Save the visible image, even if the origin server has a newer version.
                request.policy = .returnCacheElseLoad
                do {
                    let data = try await LoadRecorder.$isPaused.withValue(true) { [request] in
                        try await loader.data(for: request)
                    }
                    try await readers.run { () throws(SaveError) in
                        try SaveError.naming { try file.replaceContents(with: data) }
                    }
                    viewer.tell(ViewerTexts.saved(file.name.displayed))
                } catch {
                    if !Task.isCancelled { viewer.tell(ViewerTexts.notSaved) }
                }
            }
        }

        func openInApplication() {
            guard let url = shown?.request?.source.url else { return }
            if !openElsewhere(url.absoluteString) { tell(ViewerTexts.notOpened) }
        }

        /// Performs an action on the shown image, and cancels the previous action.
        private func act(
            _ body: @escaping @MainActor (Viewer, Shown, ImageRequest) async -> Void
        ) {
            guard let shown, let request = shown.request else { return }
            acting?.cancel()
            acting = Task { [weak self] in
                guard let self else { return }
                await body(self, shown, request)
            }
        }

        private func tell(_ text: String) { host?.showToast(text) }
    }

    /// The reason that a file could not be written.
    private enum SaveError: InterruptibleFailure {
        case failed, cancelled, timedOut, overloaded

        static func naming(_ body: () throws -> Void) throws(SaveError) {
            do { try body() } catch { throw .failed }
        }
    }

    extension LocalPath {
        /// Writes a file that is complete or absent: fills a hidden file beside it, and renames that.
        fileprivate func replaceContents(with data: Data) throws {
            let draft = (folder.isEmpty ? "." : folder).appending(name: ".calotype-\(UUID().uuidString).part")
            let descriptor = draft.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            guard descriptor >= 0 else { throw SystemError(errno) }
            do {
                let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                defer { close(descriptor) }
                try file.write(contentsOf: data)
                let isRenamed = draft.withCString { draft in withCString { rename(draft, $0) } } == 0
                guard isRenamed else { throw SystemError(errno) }
            } catch {
                _ = draft.withCString { unlink($0) }
                throw error
            }
        }
    }
#endif
