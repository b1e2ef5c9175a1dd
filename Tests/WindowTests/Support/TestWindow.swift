#if GTK
    import CGTK4
    import CalotypeCodecs
    import CalotypeGTK
    import Foundation

    /// A window on the tests' screen. Tests wait for its frames, and never sleep.
    @MainActor
    final class TestWindow {
        private let reference: ObjectReference
        private var widget: Widget { Widget(reference.opaque) }
        private var window: UnsafeMutablePointer<GtkWindow> { UnsafeMutablePointer(reference.opaque) }
        private(set) var frames = 0
        /// The number of the frame in the latest screenshot. By the time that its task goes on, there may be more frames.
        private(set) var frameOfScreenshot = 0

        /// Shows the window. No layout has happened when this returns.
        init(width: Int = 300, height: Int = 200, _ child: Widget) {
            reference = ObjectReference(sharing: UnsafeMutableRawPointer(gtk_window_new()))
            gtk_window_set_decorated(window, 0)
            gtk_window_set_default_size(window, gint(width), gint(height))
            gtk_window_set_child(window, child)
            gtk_window_present(window)
            Signal.connect(clock.raw, "after-paint") { [weak self] in self?.frames += 1 }
        }

        /// Creates a watch of an existing window, until it closes.
        init(following window: Widget) {
            reference = ObjectReference(sharing: window.raw)
            Signal.connect(clock.raw, "after-paint") { [weak self] in self?.frames += 1 }
        }

        /// Closes and destroys the window.
        func close() { gtk_window_destroy(window) }

        /// Removes the window's child, which may move to another window.
        func release() { gtk_window_set_child(window, nil) }

        func resize(width: Int, height: Int) { gtk_window_set_default_size(window, gint(width), gint(height)) }

        /// Waits until one more frame has been painted.
        func nextFrame() async {
            gtk_widget_queue_draw(widget)
            let clock = clock
            await withCheckedContinuation { continuation in
                var signal: Signal?
                signal = Signal.connect(clock.raw, "after-paint") {
                    signal?.disconnect()
                    signal = nil
                    continuation.resume()
                }
            }
        }

        /// Waits frame after frame, until the condition holds.
        func frames(until condition: () -> Bool) async {
            while !condition(), !Task.isCancelled { await nextFrame() }
        }

        /// Returns the contents of the next frame.
        func screenshot(_ name: String = #function) async -> Screenshot {
            gtk_widget_queue_draw(widget)
            let (clock, widget) = (clock, widget)
            let shot = await withCheckedContinuation { continuation in
                var signal: Signal?
                signal = Signal.connect(clock.raw, "after-paint") {
                    signal?.disconnect()
                    signal = nil
                    // Immediately: when a task resumes, another layout may be queued, and until then nothing is
                    // painted.
                    self.frameOfScreenshot = self.frames
                    continuation.resume(returning: Screenshot(of: widget))
                }
            }
            shot.save(named: name)
            return shot
        }

        private var clock: OpaquePointer { gtk_widget_get_frame_clock(widget) }
    }
#endif
