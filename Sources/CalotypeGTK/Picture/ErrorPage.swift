#if GTK
    import CGTK4
    import Calotype
    import CalotypeUI

    /// A sentence that explains the failure, and a retry button if a retry may help.
    ///
    /// If the sentence does not fit, it becomes the tooltip, and only the button is visible. If the button does not fit
    /// or does not exist, an icon is visible.
    @MainActor
    final class ErrorPage {
        let widget: Widget
        let button: Widget
        let label: Widget
        private let sign: Widget
        private let texts: RemoteImageTexts
        private var offersRetry = true
        /// The size for which the page was last arranged, in points; `nil` if the page must be arranged.
        private var place: (width: Int, height: Int)?

        init(_ texts: RemoteImageTexts, onRetry: @escaping @MainActor () -> Void) {
            self.texts = texts
            widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
            label = gtk_label_new(nil)
            sign = gtk_image_new_from_icon_name("image-missing")
            button = gtk_button_new_with_label(texts.retry)
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
            gtk_label_set_max_width_chars(label.opaque, 32)
            gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
            gtk_widget_add_css_class(widget, "calotype-error")
            for part in [label, sign, button] { gtk_box_append(widget.box, part) }
            Signal.connect(button.raw, "clicked", handler: onRetry)
        }

        func show(_ error: ImageError) {
            gtk_label_set_text(label.opaque, texts.message(error))
            offersRetry = error.offersRetry
            arrange([label, button])
            place = nil
            gtk_widget_set_visible(widget, 1)
        }

        func hide() { gtk_widget_set_visible(widget, 0) }

        var isVisible: Bool { gtk_widget_get_visible(widget) != 0 }

        /// Returns `true` if the page is visible and has to be rearranged for this size.
        func needsFitting(width: Int, height: Int) -> Bool {
            isVisible && place.map { $0 != (width, height) } ?? true
        }

        /// Shows the parts that fit. Changes the layout: do not call it during a layout pass.
        func fit(width: Int, height: Int) {
            place = (width, height)
            for parts in [[label, button], offersRetry ? [button] : [sign]] {
                arrange(parts)
                if fits(width: gint(width), height: gint(height)) { return }
            }
            arrange([sign])
        }

        private func arrange(_ parts: [Widget]) {
            for part in [label, sign, button] {
                let isShown = parts.contains(part) && (part != button || offersRetry)
                gtk_widget_set_visible(part, isShown ? 1 : 0)
            }
            gtk_widget_set_tooltip_text(widget, parts.contains(label) ? nil : gtk_label_get_text(label.opaque))
        }

        private func fits(width: gint, height: gint) -> Bool {
            var (minimum, natural): (gint, gint) = (0, 0)
            gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
            guard minimum <= width else { return false }
            gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, min(natural, width), &minimum, nil, nil, nil)
            return minimum <= height
        }
    }
#endif
