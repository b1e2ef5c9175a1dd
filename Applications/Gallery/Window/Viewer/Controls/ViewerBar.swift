#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The viewer's header bar: the back button, the name, and actions on the image.
    @MainActor
    final class ViewerBar {
        let widget: Widget = adw_header_bar_new()
        let title: Widget = adw_window_title_new("", "")
        private let details: Widget
        /// The buttons of a wide window. In a narrow window, the menu button `more` replaces them.
        private var wide: [Widget] = []
        private let more: Widget = gtk_menu_button_new()

        init(
            perform: @escaping @MainActor (ViewerCommand) -> Void, showDetails: @escaping @MainActor (Bool) -> Void
        ) {
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
            let list: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let popover: Widget = gtk_popover_new()
            for (icon, label, command) in actions {
                let button = IconButton.make(icon, label) { perform(command) }
                wide.append(button)
                adw_header_bar_pack_end(widget.opaque, button)
                let entry: Widget = gtk_button_new_with_label(label)
                gtk_widget_add_css_class(entry, "flat")
                Signal.connect(entry.raw, "clicked") {
                    gtk_popover_popdown(popover.cast())
                    perform(command)
                }
                gtk_box_prepend(list.box, entry)
            }
            gtk_popover_set_child(popover.cast(), list)
            gtk_menu_button_set_popover(more.opaque, popover)
            gtk_menu_button_set_icon_name(more.opaque, "view-more-symbolic")
            gtk_widget_set_tooltip_text(more, ViewerTexts.more)
            calotype_set_accessible_label(more, ViewerTexts.more)
            adw_header_bar_pack_end(widget.opaque, more)
            gtk_widget_set_visible(more, 0)
        }

        /// Whether the window is too narrow for all buttons. The default is `false`.
        var isNarrow = false {
            didSet {
                guard isNarrow != oldValue else { return }
                for button in wide { gtk_widget_set_visible(button, isNarrow ? 0 : 1) }
                gtk_widget_set_visible(more, isNarrow ? 1 : 0)
            }
        }

        func show(title: String, subtitle: String) {
            adw_window_title_set_title(self.title.opaque, title)
            adw_window_title_set_subtitle(self.title.opaque, subtitle)
        }

        /// Whether the details button is pressed.
        var showsDetails: Bool {
            get { gtk_toggle_button_get_active(details.cast()) != 0 }
            set { gtk_toggle_button_set_active(details.cast(), newValue ? 1 : 0) }
        }
    }
#endif
