#if GTK
    import CGTK4
    import CalotypeGTK
    import Foundation

    extension Viewer {
        func perform(_ command: ViewerCommand) {
            guard let shown else { return }
            endWayToEnd()
            switch command {
            case .next: go(to: shown.position + 1)
            case .previous: go(to: shown.position - 1)
            case .first: go(to: 0)
            case .last: if model.hasMore { goToEnd() } else { go(to: model.items.count - 1) }
            case .zoomIn: change { $0.zoom(by: Zoom.step) }
            case .zoomOut: change { $0.zoom(by: 1 / Zoom.step) }
            case .fit: change { $0.fit() }
            case .actualSize: showActualSize(at: pointer)
            case .details: showDetails(!details.isShown)
            case .copy: copy()
            case .save: chooseFile()
            case .openWith: openInApplication()
            case .close: if details.isAbove { showDetails(false) } else { close() }
            }
        }

        static func command(_ key: UInt32, _ modifiers: GdkModifierType) -> ViewerCommand? {
            if modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0 {
                return switch Int32(bitPattern: key) {
                case GDK_KEY_c: .copy
                case GDK_KEY_s: .save
                case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: .zoomIn
                case GDK_KEY_minus, GDK_KEY_KP_Subtract: .zoomOut
                case GDK_KEY_0, GDK_KEY_KP_0: .fit
                default: nil
                }
            }
            if modifiers.rawValue & GDK_ALT_MASK.rawValue != 0 { return nil }
            return switch Int32(bitPattern: key) {
            case GDK_KEY_Right, GDK_KEY_KP_Right, GDK_KEY_Page_Down: .next
            case GDK_KEY_Left, GDK_KEY_KP_Left, GDK_KEY_Page_Up: .previous
            case GDK_KEY_Home: .first
            case GDK_KEY_End: .last
            case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: .zoomIn
            case GDK_KEY_minus, GDK_KEY_KP_Subtract: .zoomOut
            case GDK_KEY_0, GDK_KEY_KP_0: .fit
            case GDK_KEY_1, GDK_KEY_KP_1: .actualSize
            case GDK_KEY_i, GDK_KEY_F9: .details
            case GDK_KEY_o: .openWith
            case GDK_KEY_Escape: .close
            default: nil
            }
        }

        func listen() {
            let keys: OpaquePointer = gtk_event_controller_key_new()
            // The keys arrive here before the buttons, which would use the arrow keys to move the focus.
            gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
            Signal.connectKeyPress(keys.raw) { [weak self] key, modifiers in
                guard let self else { return false }
                guard let command = Viewer.command(key, modifiers) else {
                    // Tab, for example, moves the focus to the buttons.
                    rest.restart()
                    return false
                }
                perform(command)
                return true
            }
            gtk_widget_add_controller(widget, keys)
            listenToPointer()
            listenToWheel()
            listenToFingers()
            listenToRest()
        }

        private func listenToPointer() {
            let motion: OpaquePointer = gtk_event_controller_motion_new()
            Signal.connectPoint(motion.raw, "motion") { [weak self] in self?.pointer = CGPoint(x: $0, y: $1) }
            Signal.connect(motion.raw, "leave") { [weak self] in self?.pointer = nil }
            gtk_widget_add_controller(stage.widget, motion)
        }

        private func listenToWheel() {
            let wheel: OpaquePointer = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES)
            Signal.connect(wheel.raw, "scroll-begin") { [weak self] in self?.swipe.begin() }
            Signal.connectScroll(wheel.raw) { [weak self] x, y in
                let isTouchpad = gtk_event_controller_scroll_get_unit(wheel) == GDK_SCROLL_UNIT_SURFACE
                let modifiers = gtk_event_controller_get_current_event_state(wheel)
                let isControlled = modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0
                self?.scroll(x: x, y: y, isTouchpad: isTouchpad && !isControlled)
                return true
            }
            gtk_widget_add_controller(stage.widget, wheel)
        }

        /// Handles a wheel, which zooms, or two fingers on a touchpad, which pan an enlarged image or change to another
        /// image.
        func scroll(x: Double, y: Double, isTouchpad: Bool) {
            if !isTouchpad {
                change { $0.zoom(by: pow(1.15, -y), at: pointer) }
            } else if zoom.canPan {
                change { $0.pan(x: -x, y: -y) }
            } else if abs(x) > abs(y), let step = swipe.move(-x) {
                perform(step > 0 ? .next : .previous)
            }
        }

        private func listenToFingers() {
            let pinch: OpaquePointer = gtk_gesture_zoom_new()
            var start = 1.0
            Signal.connect(pinch.raw, "begin") { [weak self] in start = self?.zoom.scale ?? 1 }
            Signal.connectScale(pinch.raw) { [weak self] scale in
                var (x, y) = (0.0, 0.0)
                let isKnown = gtk_gesture_get_bounding_box_center(pinch, &x, &y) != 0
                self?.change { $0.zoom(to: start * scale, at: isKnown ? CGPoint(x: x, y: y) : nil) }
            }
            gtk_widget_add_controller(stage.widget, pinch)
            listenToDrag()
            let click: OpaquePointer = gtk_gesture_click_new()
            Signal.connectPress(click.raw) { [weak self] count, x, y in
                guard let self else { return }
                gtk_widget_grab_focus(widget)
                if count == 2 { change { $0.toggle(at: CGPoint(x: x, y: y)) } }
            }
            gtk_widget_add_controller(stage.widget, click)
        }

        private func listenToDrag() {
            let drag: OpaquePointer = gtk_gesture_drag_new()
            var last = CGPoint.zero
            Signal.connectPoint(drag.raw, "drag-begin") { [weak self] _, _ in
                last = .zero
                self?.swipe.begin()
            }
            Signal.connectPoint(drag.raw, "drag-update") { [weak self] x, y in
                self?.drag(x: x - last.x, y: y - last.y)
                last = CGPoint(x: x, y: y)
            }
            gtk_widget_add_controller(stage.widget, drag)
        }

        /// Handles a drag, which pans an enlarged image or changes to another image.
        func drag(x: Double, y: Double) {
            if zoom.canPan {
                change { $0.pan(x: x, y: y) }
            } else if let step = swipe.move(x) {
                perform(step > 0 ? .next : .previous)
            }
        }

        func showDetails(_ shows: Bool) {
            // Each setter calls this function again, which must then do nothing.
            guard details.isShown != shows || bar.showsDetails != shows else { return }
            details.isShown = shows
            bar.showsDetails = shows
            watchPointer()
            if shows { readFacts() }
            update()
        }
    }
#endif
