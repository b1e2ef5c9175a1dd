#if GTK
    import CAdwaita
    import CalotypeGTK
    import Foundation

    // The controls in a window that fills the screen: above the image, and hidden while the pointer rests.

    extension Viewer {
        func listenToRest() {
            rest.onChange = { [weak self] in self?.hideControls($0) }
            let motion: OpaquePointer = gtk_event_controller_motion_new()
            Signal.connectPoint(motion.raw, "motion") { [weak self] x, y in self?.rest.move(to: CGPoint(x: x, y: y)) }
            // A finger presses without a motion before.
            let press: OpaquePointer = gtk_gesture_click_new()
            Signal.connectPress(press.raw) { [weak self] _, _, _ in self?.rest.restart() }
            for controller in [motion, press] {
                // Also over the buttons.
                gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
                gtk_widget_add_controller(widget, controller)
            }
        }

        /// Watches the pointer in full screen. The details stay, and with them the button that closes them.
        func watchPointer() { rest.isWatching = isFullScreen && !details.isShown }

        func fullScreenChanged() {
            // The bars around the image are black in any theme.
            widget.setClass("calotype-full-screen", isFullScreen)
            placeBar()
            watchPointer()
        }

        /// Places the bar over the image in full screen, so that the image does not move when the bar hides; otherwise
        /// above the image.
        private func placeBar() {
            // The bar leaves its parent, which owns it.
            let kept = ObjectReference(sharing: bar.widget.raw)
            if isFullScreen {
                gtk_box_remove(content.box, bar.widget)
                gtk_widget_set_valign(bar.widget, GTK_ALIGN_START)
                gtk_overlay_add_overlay(widget.opaque, bar.widget)
            } else {
                gtk_overlay_remove_overlay(widget.opaque, bar.widget)
                gtk_widget_set_valign(bar.widget, GTK_ALIGN_FILL)
                gtk_box_prepend(content.box, bar.widget)
            }
            withExtendedLifetime(kept) {}
            // The bar does not cover the first lines of the details.
            var height: gint = 0
            if isFullScreen { gtk_widget_measure(bar.widget, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil) }
            gtk_widget_set_margin_top(details.panel, height)
        }

        private func hideControls(_ hides: Bool) {
            for part in [bar.widget] + controls.widgets {
                // Transparent rather than invisible: the style fades them, and `controls` shows and hides each of them.
                part.setClass("calotype-hidden", hides)
                gtk_widget_set_can_target(part, hides ? 0 : 1)
            }
            gtk_widget_set_cursor_from_name(widget, hides ? "none" : nil)
        }
    }
#endif
