#if GTK
    import CAdwaita
    import CGTK4

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    // What a person sees and does.

    extension GalleryActions {
        /// Activates an action as its menu item does.
        func activate(_ name: String, _ value: String? = nil) {
            g_action_group_activate_action(window.opaque, name, value.map { g_variant_new_string($0) })
        }
    }

    extension PictureView {
        var fadesIn: Bool { gtk_widget_has_css_class(picture, "calotype-appearing") != 0 }
        var showsPlaceholder: Bool { placeholder.map { gtk_widget_get_visible($0) != 0 } ?? false }
        var spins: Bool { loadingPage.map { gtk_widget_get_visible($0.widget) != 0 } ?? false }
        var spinner: Widget? { loadingPage.flatMap { gtk_widget_get_first_child($0.widget) } }
        /// The fraction that the progress bar shows, or `nil` if the bar is hidden.
        var progress: Double? { loadingPage.flatMap { $0.fraction } }
        var message: String? { errorPage?.text }
        var retryButton: Widget? { errorPage.flatMap { $0.showsButton ? $0.button : nil } }
        var paintable: OpaquePointer? { gtk_picture_get_paintable(picture.opaque) }
        var label: String? { shown?.label }
    }

    extension UnsafeMutablePointer<GtkWidget> {
        /// Returns the middle of the widget, rounded, in the coordinates of one of its ancestors.
        func middle(in ancestor: Widget) -> (x: Int, y: Int) {
            var bounds = graphene_rect_t()
            _ = gtk_widget_compute_bounds(self, ancestor, &bounds)
            return (
                Int((bounds.origin.x + bounds.size.width / 2).rounded()),
                Int((bounds.origin.y + bounds.size.height / 2).rounded())
            )
        }
    }

    extension LoadingPage {
        fileprivate var fraction: Double? {
            gtk_widget_get_visible(bar) == 0 ? nil : gtk_progress_bar_get_fraction(bar.opaque)
        }
    }

    extension ErrorPage {
        var text: String { String(cString: gtk_label_get_text(label.opaque)) }
        var showsText: Bool { gtk_widget_get_visible(label) != 0 }
        var showsButton: Bool { gtk_widget_get_visible(button) != 0 }
        var tooltip: String? { gtk_widget_get_tooltip_text(widget).map { String(cString: $0) } }
    }

    extension GridFooter {
        var text: String { String(cString: gtk_label_get_text(label.opaque)) }
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
