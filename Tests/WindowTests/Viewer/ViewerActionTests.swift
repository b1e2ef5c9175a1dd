#if GTK
    import CAdwaita
    import Calotype
    import CalotypeBase
    import CalotypeGTK
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Testing

    @testable import CalotypeGallery

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ViewerActionTests {
        @Test func `the details say what the file is, where it came from and how long that took`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            viewer.perform(.details)
            await room.window.frames { viewer.details.text(ViewerTexts.format) != nil }
            _ = await room.window.screenshot("viewer-details")
            #expect(viewer.details.text(ViewerTexts.format) == "PNG")
            #expect(viewer.details.text(ViewerTexts.size) == "1200 × 900 (1.1 MP)")
            let bytes = ViewerRoom.png(ViewerRoom.color(0)).count
            #expect(viewer.details.text(ViewerTexts.fileSize) == Amount.bytes(bytes))
            #expect(viewer.details.text(ViewerTexts.profile) != nil)
            #expect(viewer.details.text(ViewerTexts.source) == "Network")
            #expect(viewer.details.text(ViewerTexts.total) != nil && viewer.details.text(ViewerTexts.decode) != nil)
            #expect(viewer.details.text(ViewerTexts.address) == room.origin.url("/large/0.png").absoluteString)
            #expect(viewer.bar.showsDetails)
            viewer.perform(.details)
            #expect(!viewer.details.isShown && !viewer.bar.showsDetails)
            room.leave()
        }

        @Test func `reading the details is no load in the counts`() async throws {
            let room = try await ViewerRoom(photos: 1)
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            let url = room.origin.url("/large/0.png")
            viewer.perform(.details)
            await room.window.frames { viewer.details.text(ViewerTexts.format) != nil }
            #expect(room.model.log.latest(100).count { $0.metrics.url == url } == 1)
            room.leave()
        }

        @Test func `the whole image goes to the clipboard`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            viewer.perform(.copy)
            await room.window.frames { !room.toasts.isEmpty }
            #expect(room.toasts == [ViewerTexts.copied])
            let provider = gdk_clipboard_get_content(gtk_widget_get_clipboard(viewer.widget))
            var value = calotype_value()
            g_value_init(&value, gdk_texture_get_type())
            defer { g_value_unset(&value) }
            #expect(gdk_content_provider_get_value(provider, &value, nil) != 0)
            let texture = OpaquePointer(g_value_get_object(&value))
            #expect(gdk_texture_get_width(texture) == 1200)
            room.leave()
        }

        @Test func `the bytes are saved as they came`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            let file = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "\(UUID().uuidString).png")
            defer { try? FileManager.default.removeItem(at: file) }
            viewer.save(to: LocalPath(text: file.path))
            await room.window.frames { !room.toasts.isEmpty }
            #expect(room.toasts == [ViewerTexts.saved(file.lastPathComponent)])
            #expect(try Data(contentsOf: file) == ViewerRoom.png(ViewerRoom.color(0)))
            viewer.save(to: "/proc/no/such/place.png")
            await room.window.frames { room.toasts.count == 2 }
            #expect(room.toasts.last == ViewerTexts.notSaved)
            room.leave()
        }

        @Test func `another application gets the image's address, and says nothing where there is one`() async throws {
            let room = try await ViewerRoom()
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            var addresses: [String] = []
            viewer.openElsewhere = {
                addresses.append($0)
                return addresses.count == 1
            }
            viewer.perform(.openWith)
            #expect(addresses == [room.origin.url("/large/0.png").absoluteString] && room.toasts.isEmpty)
            viewer.perform(.openWith)
            #expect(room.toasts == [ViewerTexts.notOpened])
            room.leave()
        }

        @Test(arguments: [
            (GDK_KEY_Right, ViewerCommand.next), (GDK_KEY_Left, .previous), (GDK_KEY_Home, .first),
            (GDK_KEY_End, .last),
            (GDK_KEY_plus, .zoomIn), (GDK_KEY_KP_Add, .zoomIn), (GDK_KEY_minus, .zoomOut), (GDK_KEY_0, .fit),
            (GDK_KEY_1, .actualSize), (GDK_KEY_i, .details), (GDK_KEY_o, .openWith), (GDK_KEY_Escape, .close),
        ])
        func `a key does one thing`(_ key: Int32, _ command: ViewerCommand) {
            #expect(Viewer.command(UInt32(key), GdkModifierType(rawValue: 0)) == command)
        }

        @Test func `Control copies and saves, and leaves all other keys to the window`() {
            #expect(Viewer.command(UInt32(GDK_KEY_c), GDK_CONTROL_MASK) == .copy)
            #expect(Viewer.command(UInt32(GDK_KEY_s), GDK_CONTROL_MASK) == .save)
            for key in [GDK_KEY_w, GDK_KEY_q, GDK_KEY_Right, GDK_KEY_1] {
                #expect(Viewer.command(UInt32(key), GDK_CONTROL_MASK) == nil)
            }
            #expect(Viewer.command(UInt32(GDK_KEY_F12), GdkModifierType(rawValue: 0)) == nil)
            #expect(Viewer.command(UInt32(GDK_KEY_Left), GDK_ALT_MASK) == nil)
        }
    }
#endif
