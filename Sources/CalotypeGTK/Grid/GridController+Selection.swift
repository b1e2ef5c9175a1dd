#if GTK
    import CGTK4

    extension GridController {
        /// Selects an item, or clears the selection. Does not scroll.
        ///
        /// - Parameter byKeyboard: Whether to show the item's caption.
        func select(_ position: Int?, byKeyboard: Bool = false) {
            if let selection { cells[selection]?.isSelected = false }
            selection = position.flatMap { items.indices.contains($0) ? $0 : nil }
            guard let selection else { return captions.select(nil) }
            cells[selection]?.isSelected = true
            captions.select(byKeyboard ? (selection, label(items[selection])) : nil)
            if let cell = cells[selection] { calotype_set_active_descendant(canvas.widget, cell.view.widget) }
            gtk_widget_queue_allocate(canvas.widget)
        }

        /// Scrolls as little as possible until the whole item is visible.
        func reveal(_ position: Int) {
            guard position < geometry.count, geometry.width > 0 else { return }
            let frame = geometry.frame(at: position)
            let room = Double(style.margin)
            let (top, bottom) = (Double(frame.y) - room, Double(frame.y + frame.height) + room)
            let seen = viewport
            if top < seen.lowerBound {
                gtk_adjustment_set_value(adjustment, top)
            } else if bottom > seen.upperBound {
                gtk_adjustment_set_value(adjustment, bottom - (seen.upperBound - seen.lowerBound))
            }
        }

        func activate(_ position: Int) {
            guard let item = item(at: position) else { return }
            isOnWayToEnd = false
            select(position)
            onActivate?(item)
        }

        /// The number of rows that fit into the viewport.
        var rowsPerPage: Int { max(Int(gtk_adjustment_get_page_size(adjustment)) / (geometry.side + style.spacing), 1) }
    }
#endif
