#if GTK
    import CAdwaita
    import CalotypeGTK

    /// A page in place of the grid: an icon, one sentence, and buttons for the remedy.
    @MainActor
    struct StatusPage {
        struct Action: Hashable {
            let label: String
            /// The name of an action of the window.
            let name: String
            var isSuggested = false
        }

        let widget: Widget = adw_status_page_new()
        let title: String
        let sentence: String?
        let actions: [Action]
        let details: String?

        init(icon: String?, title: String, sentence: String? = nil, actions: [Action] = [], details: String? = nil) {
            (self.title, self.sentence, self.actions, self.details) = (title, sentence, actions, details)
            adw_status_page_set_icon_name(widget.opaque, icon)
            adw_status_page_set_title(widget.opaque, title)
            // Escaped, because libadwaita reads the description as markup, and it may quote the user's input.
            adw_status_page_set_description(widget.opaque, sentence.map(StatusPage.escaped))
            guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12) else { return }
            for action in actions { gtk_box_append(box.box, StatusPage.button(action)) }
            if let details { gtk_box_append(box.box, StatusPage.expander(details)) }
            adw_status_page_set_child(widget.opaque, box)
        }

        static func loading() -> StatusPage {
            let page = StatusPage(icon: nil, title: GalleryTexts.loading)
            guard let spinner = gtk_spinner_new() else { return page }
            gtk_widget_set_size_request(spinner, 32, 32)
            gtk_widget_set_halign(spinner, GTK_ALIGN_CENTER)
            gtk_spinner_start(spinner.opaque)
            adw_status_page_set_child(page.widget.opaque, spinner)
            return page
        }

        private static func button(_ action: Action) -> Widget? {
            guard let button = gtk_button_new_with_label(action.label) else { return nil }
            gtk_actionable_set_action_name(button.opaque, action.name)
            gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
            gtk_widget_add_css_class(button, "pill")
            if action.isSuggested { gtk_widget_add_css_class(button, "suggested-action") }
            return button
        }

        private static func expander(_ details: String) -> Widget? {
            guard let expander = gtk_expander_new(GalleryTexts.details) else { return nil }
            let label = gtk_label_new(details)
            gtk_label_set_selectable(label?.opaque, 1)
            gtk_label_set_wrap(label?.opaque, 1)
            gtk_widget_add_css_class(label, "gallery-details")
            gtk_widget_add_css_class(label, "dim-label")
            gtk_expander_set_child(expander.opaque, label)
            gtk_widget_set_halign(expander, GTK_ALIGN_CENTER)
            return expander
        }

        static func escaped(_ text: String) -> String {
            guard let escaped = g_markup_escape_text(text, -1) else { return "" }
            defer { g_free(escaped) }
            return String(cString: escaped)
        }
    }
#endif
