#if GTK
    import CGTK4

    /// Lists that grow at their end: more items near the end, and the way to an end that is not there yet.
    extension GridController {
        /// Calls `onNearEnd` when less than a screen of items is left below: once at a time, and a second time for the
        /// same number of items only after the user has scrolled.
        func askForMore(lastSeen: Int, _ screen: Int) {
            let count = items.count
            guard let onNearEnd, pageRequest == nil, askedAt != count, lastSeen + screen >= count else { return }
            askedAt = count
            pageRequest = Task { [weak self] in
                var next: (@MainActor () async -> Void)? = onNearEnd
                while let load = next, let before = self?.items.count {
                    await load()
                    next = self?.nextOnWayToEnd(since: before)
                }
                self?.pageRequest = nil
                self?.lookAfterLayout()
            }
        }

        /// Returns `onNearEnd` if the user is on the way to the end, and the latest call has appended items. The next
        /// call does not wait for a frame.
        ///
        /// - Parameter before: The number of items when the latest call began: the user may have pressed End after it had
        ///   appended its items, and before it returned.
        private func nextOnWayToEnd(since before: Int) -> (@MainActor () async -> Void)? {
            guard isOnWayToEnd else { return nil }
            guard items.count > before else {
                askedAt = items.count
                return nil
            }
            return onNearEnd
        }

        /// Selects the last item, and then the last of the items that `onNearEnd` appends, until it appends none or
        /// the user does something else.
        func goToEnd() {
            step(.last)
            guard onNearEnd != nil else { return }
            (isOnWayToEnd, askedAt) = (true, nil)
            lookAfterLayout()
        }

        /// Selects the last item again if the user is on the way to the end.
        func followWayToEnd() {
            guard isOnWayToEnd, geometry.count > 0 else { return }
            reveal(geometry.count - 1)
            if selection != geometry.count - 1 { select(geometry.count - 1, byKeyboard: true) }
        }

        func showFooter(_ shows: Bool) {
            guard shows != (geometry.footer > 0) else { return }
            let footer = footer ?? GridFooter(options.texts.loadingMore)
            if self.footer == nil { canvas.add(footer.widget, below: captions.lowest) }
            self.footer = footer
            footer.isShown = shows
            geometry.footer = shows ? GridFooter.height : 0
            gtk_widget_queue_resize(canvas.widget)
        }
    }
#endif
