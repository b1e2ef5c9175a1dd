#if GTK
    import CAdwaita
    import CGTK4
    import CalotypeGTK

    /// The viewer's header bar: the way back, the name, and what can be done with the image.
    @MainActor
    final class ViewerBar {
        let widget: Widget
        private let title: Widget
        private let details: Widget

        init(
            perform: @escaping @MainActor (ViewerCommand) -> Void, showDetails: @escaping @MainActor (Bool) -> Void
        ) {
            widget = adw_header_bar_new()
            title = adw_window_title_new("", "")
            details = IconButton.makeToggle(
                "sidebar-show-right-symbolic", ViewerTexts.details, onChange: showDetails)
            adw_header_bar_set_title_widget(widget.opaque, title)
            adw_header_bar_pack_start(
                widget.opaque,
                IconButton.make("go-previous-symbolic", ViewerTexts.back) { perform(.close) })
            adw_header_bar_pack_end(widget.opaque, details)
            let actions: [(String, String, ViewerCommand)] = [
                ("adw-external-link-symbolic", ViewerTexts.openWith, .openWith),
                ("document-save-symbolic", ViewerTexts.save, .save),
                ("edit-copy-symbolic", ViewerTexts.copy, .copy),
            ]
            for (icon, label, command) in actions {
                adw_header_bar_pack_end(widget.opaque, IconButton.make(icon, label) { perform(command) })
            }
        }

        func show(title: String, subtitle: String) {
            adw_window_title_set_title(self.title.opaque, title)
            adw_window_title_set_subtitle(self.title.opaque, subtitle)
        }

        /// A Boolean value indicating whether the button of the details is down.
        var showsDetails: Bool {
            get { gtk_toggle_button_get_active(details.cast()) != 0 }
            set { gtk_toggle_button_set_active(details.cast(), newValue ? 1 : 0) }
        }

        var titles: [String] {
            [adw_window_title_get_title(title.opaque), adw_window_title_get_subtitle(title.opaque)].map {
                $0.map { String(cString: $0) } ?? ""
            }
        }
    }
#endif
