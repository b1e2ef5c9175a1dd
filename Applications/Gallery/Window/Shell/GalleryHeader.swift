#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The header bar: the place and its number of images, the buttons, and the menu.
    @MainActor
    final class GalleryHeader {
        let widget: Widget
        let searchButton: Widget
        let title: Widget
        private let menu: GalleryMenu

        init() {
            widget = adw_header_bar_new()
            title = adw_window_title_new(GalleryTexts.applicationName, nil)
            searchButton = gtk_toggle_button_new()
            menu = GalleryMenu()
            adw_header_bar_set_title_widget(widget.opaque, title)
            let openButton = GalleryHeader.button("folder-open-symbolic", GalleryTexts.openFolder, "win.open-folder")
            adw_header_bar_pack_start(widget.opaque, openButton)
            adw_header_bar_pack_end(widget.opaque, menuButton())
            GalleryHeader.name(searchButton, "system-search-symbolic", GalleryTexts.search)
            adw_header_bar_pack_end(widget.opaque, searchButton)
        }

        func show(title text: String, subtitle: String) {
            adw_window_title_set_title(title.opaque, text)
            adw_window_title_set_subtitle(title.opaque, subtitle)
        }

        func showRecent(_ places: [String]) { menu.showRecent(places) }

        private func menuButton() -> Widget? {
            guard let button = gtk_menu_button_new() else { return nil }
            gtk_menu_button_set_icon_name(button.opaque, "open-menu-symbolic")
            gtk_menu_button_set_menu_model(button.opaque, menu.model)
            gtk_menu_button_set_primary(button.opaque, 1)
            gtk_widget_set_tooltip_text(button, GalleryTexts.mainMenu)
            calotype_set_accessible_label(button, GalleryTexts.mainMenu)
            return button
        }

        private static func button(_ icon: String, _ text: String, _ action: String) -> Widget? {
            guard let button = gtk_button_new() else { return nil }
            name(button, icon, text)
            gtk_actionable_set_action_name(button.opaque, action)
            return button
        }

        private static func name(_ button: Widget, _ icon: String, _ text: String) {
            gtk_button_set_icon_name(button.cast(), icon)
            gtk_widget_set_tooltip_text(button, text)
            calotype_set_accessible_label(button, text)
        }
    }
#endif
