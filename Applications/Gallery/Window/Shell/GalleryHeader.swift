#if GTK
    import CAdwaita
    import CalotypeGTK

    /// The header bar: the location and its number of images, the buttons, and the menu.
    @MainActor
    final class GalleryHeader {
        let widget: Widget = adw_header_bar_new()
        let searchButton: Widget = gtk_toggle_button_new()
        let title: Widget = adw_window_title_new(GalleryTexts.applicationName, nil)
        let menu = GalleryMenu()

        init() {
            adw_header_bar_set_title_widget(widget.opaque, title)
            let openButton: Widget = gtk_button_new()
            GalleryHeader.name(openButton, "folder-open-symbolic", GalleryTexts.openFolder)
            gtk_actionable_set_action_name(openButton.opaque, "win.open-folder")
            adw_header_bar_pack_start(widget.opaque, openButton)
            adw_header_bar_pack_end(widget.opaque, menuButton())
            GalleryHeader.name(searchButton, "system-search-symbolic", GalleryTexts.search)
            adw_header_bar_pack_end(widget.opaque, searchButton)
        }

        func show(title text: String, subtitle: String) {
            adw_window_title_set_title(title.opaque, text)
            adw_window_title_set_subtitle(title.opaque, subtitle)
        }

        private func menuButton() -> Widget {
            let button: Widget = gtk_menu_button_new()
            gtk_menu_button_set_icon_name(button.opaque, "open-menu-symbolic")
            gtk_menu_button_set_menu_model(button.opaque, menu.model)
            gtk_menu_button_set_primary(button.opaque, 1)
            gtk_widget_set_tooltip_text(button, GalleryTexts.mainMenu)
            calotype_set_accessible_label(button, GalleryTexts.mainMenu)
            return button
        }

        private static func name(_ button: Widget, _ icon: String, _ text: String) {
            gtk_button_set_icon_name(button.cast(), icon)
            gtk_widget_set_tooltip_text(button, text)
            calotype_set_accessible_label(button, text)
        }
    }
#endif
