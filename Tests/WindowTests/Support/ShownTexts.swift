#if GTK
    import CAdwaita
    import CalotypeGTK

    @testable import CalotypeGallery

    // What a person sees and does.

    extension GalleryActions {
        /// Activates an action as its menu item does.
        func activate(_ name: String, _ value: String? = nil) {
            g_action_group_activate_action(window.opaque, name, value.map { g_variant_new_string($0) })
        }
    }

    extension GalleryHeader {
        var titleText: String { String(cString: adw_window_title_get_title(title.opaque)) }
        var subtitleText: String { String(cString: adw_window_title_get_subtitle(title.opaque)) }
    }

    extension ViewerBar {
        var titles: [String] {
            [adw_window_title_get_title(title.opaque), adw_window_title_get_subtitle(title.opaque)].map {
                $0.map { String(cString: $0) } ?? ""
            }
        }
    }

    extension ViewerControls {
        var text: String { gtk_button_get_label(percent.cast()).map { String(cString: $0) } ?? "" }
    }

    extension DetailsPanel {
        /// Returns the text of a line.
        func text(_ title: String) -> String? { sections.flatMap(\.lines).first { $0.title == title }?.text }
    }

    extension Viewer {
        /// Whether the image moves from or to its tile.
        var isMoving: Bool { motion != nil }
    }

    extension ActivityPanel {
        /// Returns the displayed count of a kind.
        func text(of kind: LoadKind) -> String { counts[kind].map { Label.text($0) } ?? "" }
        var decodeText: String { Label.text(decodes) }
        var underWayText: String { Label.text(underWay) }
    }

    extension TimelineRow {
        var text: (name: String, answer: String) { (Label.text(name), Label.text(answer)) }
        var isShown: Bool { gtk_widget_get_opacity(widget) > 0 }
    }
#endif
