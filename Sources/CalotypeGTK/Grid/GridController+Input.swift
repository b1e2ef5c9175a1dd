#if GTK
    import CGTK4

    /// Input from the pointer, the wheel, touch gestures and the keyboard.
    extension GridController {
        func listen() {
            listenToClicks()
            listenToPointer()
            listenToWheel()
            listenToFingers()
            listenToKeys()
            Signal.connect(canvas.widget.raw, "notify::has-focus") { [weak self] in self?.focused() }
        }

        private func listenToPointer() {
            guard let motion = gtk_event_controller_motion_new() else { return }
            gtk_widget_add_controller(canvas.widget, motion)
            Signal.connectPoint(motion.raw, "motion") { [weak self] x, y in
                guard let self else { return }
                pointer = (x, y - gtk_adjustment_get_value(adjustment))
                hover(geometry.item(atX: x, y: y))
            }
            Signal.connect(motion.raw, "leave") { [weak self] in
                self?.pointer = nil
                self?.hover(nil)
            }
        }

        func hover(_ position: Int?) {
            captions.hover(position.flatMap { position in item(at: position).map { (position, label($0)) } })
        }

        private func listenToWheel() {
            guard let wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) else { return }
            gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(widget, wheel)
            Signal.connectScroll(wheel.raw) { [weak self] _, y in
                let modifiers = gtk_event_controller_get_current_event_state(wheel)
                guard modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
                return self?.turn(y) ?? false
            }
        }

        /// Changes the number of columns by one for each notch of the wheel.
        ///
        /// - Returns: `false` if the grid does not zoom.
        func turn(_ notches: Double) -> Bool {
            guard zoomRange != nil else { return false }
            turned += notches
            let steps = Int(turned)
            turned -= Double(steps)
            if steps != 0 { zoom(to: geometry.columns + steps, around: pointer) }
            return true
        }

        private func listenToFingers() {
            guard let pinch = gtk_gesture_zoom_new() else { return }
            gtk_event_controller_set_propagation_phase(pinch, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(widget, pinch)
            Signal.connect(pinch.raw, "begin") { [weak self] in self?.pinchBegins() }
            Signal.connectScale(pinch.raw) { [weak self] scale in
                var (x, y) = (0.0, 0.0)
                let isKnown = gtk_gesture_get_bounding_box_center(pinch, &x, &y) != 0
                self?.pinch(scale, around: isKnown ? (x, y) : nil)
            }
        }

        func pinchBegins() { columnsBeforePinch = geometry.columns }

        /// Scales the tiles with the distance between the fingers, in steps of whole columns.
        func pinch(_ scale: Double, around point: (x: Double, y: Double)?) {
            guard let before = columnsBeforePinch, scale > 0 else { return }
            zoom(to: Int((Double(before) / scale).rounded()), around: point)
        }

        private func zoom(to columns: Int, around point: (x: Double, y: Double)?) {
            guard let zoomRange else { return }
            let columns = min(max(columns, zoomRange.lowerBound), zoomRange.upperBound)
            guard columns != self.columns else { return }
            setColumns(columns, around: point)
            onColumnsChange?(columns)
        }

        private func listenToKeys() {
            guard let keys = gtk_event_controller_key_new() else { return }
            gtk_widget_add_controller(canvas.widget, keys)
            Signal.connectKeyPress(keys.raw) { [weak self] key, modifiers in
                let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
                guard modifiers.rawValue & others == 0 else { return false }
                return self?.press(key) ?? false
            }
        }

        /// Handles a key. Returns `false` for keys that the grid does not use, and for all keys if it has no items.
        func press(_ key: UInt32) -> Bool {
            guard !items.isEmpty else { return false }
            switch Int32(bitPattern: key) {
            case GDK_KEY_Left, GDK_KEY_KP_Left: step(.left)
            case GDK_KEY_Right, GDK_KEY_KP_Right: step(.right)
            case GDK_KEY_Up, GDK_KEY_KP_Up: step(.up)
            case GDK_KEY_Down, GDK_KEY_KP_Down: step(.down)
            case GDK_KEY_Home, GDK_KEY_KP_Home: step(.first)
            case GDK_KEY_End, GDK_KEY_KP_End: goToEnd()
            case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: move(rows: -rowsPerPage)
            case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: move(rows: rowsPerPage)
            case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space:
                guard let selection else { return false }
                activate(selection)
            default: return false
            }
            return true
        }

        func step(_ step: GridGeometry.Step) {
            switch step {
            // The ends of the list need no selected item to start from.
            case .first, .last: go(to: geometry.item(from: 0, step))
            case .left, .right, .up, .down: go(to: selection.map { geometry.item(from: $0, step) })
            }
        }

        private func move(rows: Int) { go(to: selection.map { geometry.item(from: $0, rows: rows) }) }

        private func go(to position: Int?) {
            isOnWayToEnd = false
            let position = position ?? visibleCells.first?.position ?? 0
            reveal(position)
            select(position, byKeyboard: true)
        }

        /// Takes the focus without selecting an item.
        func focus() {
            isFocusedByProgram = true
            gtk_widget_grab_focus(canvas.widget)
        }

        /// After a move by the Tab key, selects the first visible item, so that the focus is visible.
        private func focused() {
            guard gtk_widget_has_focus(canvas.widget) != 0 else {
                // If only the window has lost the focus, the canvas is still its focus widget.
                if gtk_widget_is_focus(canvas.widget) == 0 { isFocusedByProgram = false }
                return
            }
            guard !isFocusedByProgram, selection == nil, !items.isEmpty else { return }
            select(visibleCells.first?.position ?? 0)
        }
    }

    // MARK: Columns

    extension GridController {
        /// The requested number of columns, or the actual number while a greatest side determines it.
        var columns: Int { geometry.greatestSide > 0 ? geometry.columns : geometry.wantedColumns }

        /// Changes the number of columns.
        ///
        /// - Parameters:
        ///   - side: The maximum side of a tile, in points. The default, 0, is no limit.
        ///   - point: The point in the viewport whose image keeps its vertical position. If `nil`, the first row does.
        func setColumns(_ columns: Int, greatestSide side: Int = 0, around point: (x: Double, y: Double)? = nil) {
            guard columns != geometry.wantedColumns || side != geometry.greatestSide, columns > 0 else { return }
            pendingAnchor = point.flatMap { anchor(atX: $0.x, y: $0.y) } ?? (isScrolled ? anchor : nil)
            (geometry.wantedColumns, geometry.greatestSide) = (columns, side)
            gtk_widget_queue_resize(canvas.widget)
            captions.hide()
            lookAfterLayout()
        }

        private func anchor(atX x: Double, y: Double) -> Anchor? {
            let height = gtk_adjustment_get_value(adjustment) + y
            // If the point is between two tiles, use the first tile of the row.
            let position = geometry.item(atX: x, y: height) ?? geometry.items(in: height..<height + 1).first
            return position.map { Anchor(position: $0, part: 0.5, y: self.y(of: $0, part: 0.5)) }
        }
    }
#endif
