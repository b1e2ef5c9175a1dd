#if GTK
    import CAdwaita
    import CalotypeGTK
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGallery

    /// The viewer's controls in a window that fills the screen.
    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ViewerFullScreenTests {
        private let clock = ManualClock()

        private func areHidden(_ viewer: Viewer) -> Bool {
            let parts = [viewer.bar.widget] + viewer.controls.widgets
            let hidden = parts.filter { gtk_widget_has_css_class($0, "calotype-hidden") != 0 }
            #expect(hidden.isEmpty || hidden.count == parts.count)
            #expect(parts.allSatisfy { (gtk_widget_get_can_target($0) != 0) == hidden.isEmpty })
            return !hidden.isEmpty
        }

        /// Opens an image in full screen, and lets the pointer rest for two seconds.
        private func openAtRest(_ room: ViewerRoom) async -> Viewer {
            let viewer = room.open(1, clock: clock)
            viewer.isFullScreen = true
            await room.frames(untilLarge: viewer)
            await clock.waitForSleepers(1)
            clock.advance(by: PointerRest.delay)
            await room.window.frames { viewer.rest.isResting }
            return viewer
        }

        @Test func `after two seconds without the pointer only the image is seen, and a movement brings all back`()
            async throws
        {
            let room = try await ViewerRoom()
            let viewer = room.open(1, clock: clock)
            await room.frames(untilLarge: viewer)
            viewer.isFullScreen = true
            await clock.waitForSleepers(1)
            await room.window.nextFrame()
            // The image of the larger canvas.
            await room.frames(untilLarge: viewer)
            let before = await room.window.screenshot("full screen with controls")
            #expect(!areHidden(viewer))
            clock.advance(by: PointerRest.delay - .milliseconds(1))
            await room.window.nextFrame()
            #expect(!areHidden(viewer))
            clock.advance(by: .milliseconds(1))
            await room.window.frames { viewer.rest.isResting }
            let after = await room.window.screenshot("full screen at rest")
            #expect(areHidden(viewer))
            // The middle of the upper edge, where the bar was, and of the left edge, where the arrow was.
            let frame = viewer.zoom.frame
            #expect(viewer.zoom.canvas.height == 446, "the image has the whole height")
            #expect(before.color(20, 20) != after.color(20, 20))
            let arrow = (x: 32, y: Int(frame.midY))
            #expect(before.color(arrow.x, arrow.y) != ViewerRoom.color(1))
            #expect(after.color(arrow.x, arrow.y) == ViewerRoom.color(1))
            viewer.rest.move(to: CGPoint(x: 300, y: 200))
            #expect(!areHidden(viewer))
            #expect(viewer.zoom.frame == frame, "the image has not moved")
            let again = await room.window.screenshot("full screen again")
            #expect(again.color(20, 20) == before.color(20, 20))
            room.leave()
        }

        @Test func `the bars around the image are black in full screen, also in a light theme`() async throws {
            let manager = adw_style_manager_get_default()
            adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_LIGHT)
            defer { adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT) }
            let room = try await ViewerRoom()
            let viewer = await openAtRest(room)
            let frame = viewer.zoom.frame
            try #require(frame.minX >= 2)
            let screen = await room.window.screenshot("full screen in a light theme")
            #expect(screen.color(1, Int(frame.midY)) == 0)
            room.leave()
        }

        @Test func `a pointer that moves before the two seconds have passed keeps the controls`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(1, clock: clock)
            viewer.isFullScreen = true
            for x in 0..<4 {
                await clock.waitForSleepers(1)
                clock.advance(by: .milliseconds(1500))
                viewer.rest.move(to: CGPoint(x: x, y: 0))
                await room.window.nextFrame()
                #expect(!areHidden(viewer))
            }
            room.leave()
        }

        @Test func `at rest, keys go to other images without bringing back the controls, and Tab brings them back`()
            async throws
        {
            let room = try await ViewerRoom()
            let viewer = await openAtRest(room)
            viewer.perform(.next)
            await room.frames(untilLarge: viewer)
            #expect(areHidden(viewer) && viewer.index == 2)
            // The widgets under the pointer have changed, but the pointer has not moved.
            viewer.rest.move(to: CGPoint(x: 5, y: 5))
            await clock.waitForSleepers(1)
            clock.advance(by: PointerRest.delay)
            await room.window.frames { viewer.rest.isResting }
            viewer.rest.move(to: CGPoint(x: 5, y: 5))
            #expect(areHidden(viewer))
            viewer.rest.restart()
            #expect(!areHidden(viewer))
            room.leave()
        }

        @Test func `outside of full screen the controls stay, and the bar is above the image`() async throws {
            let room = try await ViewerRoom()
            let viewer = await openAtRest(room)
            viewer.isFullScreen = false
            #expect(!areHidden(viewer))
            await room.window.frames { viewer.zoom.canvas.height < 446 }
            #expect(clock.sleepers == 0, "nothing waits for the pointer")
            #expect(Int(viewer.zoom.canvas.height) == 446 - Int(gtk_widget_get_height(viewer.bar.widget)))
            room.leave()
        }

        @Test func `details that are open keep the controls, and the bar does not cover them`() async throws {
            let room = try await ViewerRoom(width: 900)
            let viewer = await openAtRest(room)
            viewer.perform(.details)
            #expect(!areHidden(viewer))
            #expect(clock.sleepers == 0)
            await room.window.frames { gtk_widget_get_mapped(viewer.details.panel) != 0 }
            _ = await room.window.screenshot("full screen with details")
            var (x, y) = (0.0, 0.0)
            gtk_widget_translate_coordinates(viewer.details.panel, viewer.widget, 0, 0, &x, &y)
            #expect(Int(y) >= Int(gtk_widget_get_height(viewer.bar.widget)))
            viewer.perform(.details)
            await clock.waitForSleepers(1)
            clock.advance(by: PointerRest.delay)
            await room.window.frames { viewer.rest.isResting }
            #expect(areHidden(viewer))
            room.leave()
        }
    }
#endif
