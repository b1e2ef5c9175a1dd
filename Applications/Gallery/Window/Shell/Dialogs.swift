#if GTK
    import CAdwaita
    import CalotypeBase
    import CalotypeGTK
    import Glibc

    /// The dialogs above the gallery's window.
    @MainActor
    enum Dialogs {
        static func chooseFolder(above window: Widget, _ choose: @escaping @MainActor (String) -> Void) {
            guard
                let chooser = gtk_file_chooser_native_new(
                    GalleryTexts.openFolder, window.window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, GalleryTexts.open,
                    GalleryTexts.cancel)
            else { return }
            gtk_native_dialog_set_modal(UnsafeMutablePointer(chooser), 1)
            show(chooser) { file in
                if let text = text(of: file) { choose(text) }
            }
        }

        /// Shows a file chooser. Calls `choose` with the chosen file, unless the user cancels.
        static func show(_ chooser: OpaquePointer, _ choose: @escaping @MainActor (_ file: OpaquePointer) -> Void) {
            let reference = ObjectReference(adopting: chooser.raw)
            Signal.connect(
                chooser.raw, "response",
                numberHandler: { answer in
                    defer { gtk_native_dialog_destroy(UnsafeMutablePointer(reference.opaque)) }
                    guard Int32(bitPattern: answer) == GTK_RESPONSE_ACCEPT.rawValue,
                        let file = gtk_file_chooser_get_file(reference.opaque)
                    else { return }
                    choose(file)
                    g_object_unref(file.raw)
                })
            gtk_native_dialog_show(UnsafeMutablePointer(chooser))
        }

        static func askAddress(above window: Widget, _ choose: @escaping @MainActor (String) -> Void) {
            guard
                let dialog = adw_message_dialog_new(
                    window.window, GalleryTexts.addressHeading, GalleryTexts.addressBody),
                let entry = gtk_entry_new()
            else { return }
            gtk_entry_set_placeholder_text(entry.cast(), GalleryTexts.addressHint)
            gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_URL)
            gtk_entry_set_activates_default(entry.cast(), 1)
            calotype_set_accessible_label(entry, GalleryTexts.addressHeading)
            let asked: UnsafeMutablePointer<AdwMessageDialog> = dialog.cast()
            adw_message_dialog_set_extra_child(asked, entry)
            adw_message_dialog_add_response(asked, "cancel", GalleryTexts.cancel)
            adw_message_dialog_add_response(asked, "open", GalleryTexts.open)
            adw_message_dialog_set_response_appearance(asked, "open", ADW_RESPONSE_SUGGESTED)
            adw_message_dialog_set_default_response(asked, "open")
            adw_message_dialog_set_close_response(asked, "cancel")
            Signal.connect(dialog.raw, "response::open") {
                if let text = gtk_editable_get_text(entry.opaque) { choose(String(cString: text)) }
            }
            gtk_window_present(dialog.window)
        }

        static func showAbout(above window: Widget) {
            guard let about = adw_about_window_new() else { return }
            gtk_window_set_transient_for(about.window, window.window)
            adw_about_window_set_application_name(about.opaque, GalleryTexts.applicationName)
            adw_about_window_set_application_icon(about.opaque, GalleryApplication.identifier)
            adw_about_window_set_comments(about.opaque, GalleryTexts.summary)
            adw_about_window_set_license_type(about.opaque, GTK_LICENSE_MIT_X11)
            gtk_window_present(about.window)
        }

        /// Returns the path of a local file, or the URL of another file and of a path that is not UTF-8.
        static func text(of file: OpaquePointer) -> String? {
            if let path = path(of: file)?.text { return path }
            guard let text = g_file_get_uri(file) else { return nil }
            defer { g_free(text) }
            return String(cString: text)
        }

        /// Returns the path of a local file, or `nil` for another file.
        static func path(of file: OpaquePointer) -> LocalPath? {
            guard let path = g_file_get_path(file) else { return nil }
            defer { g_free(path) }
            return LocalPath(ByteString(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path))))
        }
    }
#endif
