#if GTK
    import CGTK4

    /// A press of the primary button on an item.
    struct GridPress<ID: Hashable> {
        let id: ID
        /// The point of the press in the viewport, because the canvas may scroll under a pointer that does not move.
        let x: Double
        let y: Double
        var isDrag = false
    }

    /// Clicks: presses that end over the item on which they began, without a drag in between.
    extension GridController {
        func listenToClicks() {
            guard let click = gtk_gesture_click_new() else { return }
            gtk_gesture_single_set_button(click, guint(GDK_BUTTON_PRIMARY))
            gtk_widget_add_controller(canvas.widget, click)
            Signal.connectPress(click.raw) { [weak self] _, x, y in self?.pressBegins(x: x, y: y) }
            Signal.connect(click.raw, "update") { [weak self] in
                var (x, y) = (0.0, 0.0)
                let sequence = gtk_gesture_single_get_current_sequence(click)
                if gtk_gesture_get_point(click, sequence, &x, &y) != 0 { self?.pressMoves(x: x, y: y) }
            }
            Signal.connectPress(click.raw, "released") { [weak self] _, x, y in self?.pressEnds(x: x, y: y) }
        }

        /// - Parameters:
        ///   - x: The horizontal position in the canvas.
        ///   - y: The vertical position in the canvas.
        func pressBegins(x: Double, y: Double) {
            isOnWayToEnd = false
            pressed = geometry.item(atX: x, y: y).flatMap { item(at: $0) }.map {
                GridPress(id: $0.id, x: x, y: y - gtk_adjustment_get_value(adjustment))
            }
        }

        func pressMoves(x: Double, y: Double) {
            guard let press = pressed else { return }
            let y = y - gtk_adjustment_get_value(adjustment)
            if gtk_drag_check_threshold(canvas.widget, gint(press.x), gint(press.y), gint(x), gint(y)) != 0 {
                pressed?.isDrag = true
            }
        }

        func pressEnds(x: Double, y: Double) {
            pressMoves(x: x, y: y)
            let press = pressed
            pressed = nil
            guard let press, !press.isDrag, let position = geometry.item(atX: x, y: y),
                item(at: position)?.id == press.id
            else { return }
            gtk_widget_grab_focus(canvas.widget)
            activate(position)
        }
    }
#endif
