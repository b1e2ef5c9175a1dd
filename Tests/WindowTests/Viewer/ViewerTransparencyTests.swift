#if GTK
    import CAdwaita
    import CalotypeCodecs
    import CalotypeGTK
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGallery

    /// Images with transparent parts in the viewer.
    @MainActor
    @Suite(.timeLimit(.minutes(1)), .serialized) struct ViewerTransparencyTests {
        /// Returns a PNG that is clear but for a square in the middle.
        private nonisolated static func png(_ gray: UInt32) -> Data {
            let bitmap = try? Bitmap(width: 400, height: 400, hasAlpha: true) { pixels, _ in
                for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                    let (x, y) = (offset / 4 % 400, offset / 1600)
                    let isInside = (100..<300).contains(x) && (100..<300).contains(y)
                    pixels.storeBytes(of: isInside ? gray : 0, toByteOffset: offset, as: UInt32.self)
                }
            }
            return (try? bitmap?.encoded(as: .png)) ?? Data()
        }

        @Test(arguments: [
            ("light", ADW_COLOR_SCHEME_FORCE_LIGHT, UInt32(0xFFFF_FFFF)),
            ("dark", ADW_COLOR_SCHEME_FORCE_DARK, 0xFF00_0000),
            ("light, black", ADW_COLOR_SCHEME_FORCE_LIGHT, 0xFF00_0000),
            ("dark, white", ADW_COLOR_SCHEME_FORCE_DARK, 0xFFFF_FFFF),
        ])
        func `behind clear pixels there is a checkerboard of two grays, on which the image stands out`(
            _ name: String, _ scheme: AdwColorScheme, _ gray: UInt32
        ) async throws {
            let room = try await ViewerRoom(photos: 1) { _ in
                .ok(ViewerTransparencyTests.png(gray), type: "image/png")
            }
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
            defer { adw_style_manager_set_color_scheme(adw_style_manager_get_default(), ADW_COLOR_SCHEME_DEFAULT) }
            let viewer = room.open(0)
            await room.frames(untilLarge: viewer)
            await room.window.nextFrame()
            let shot = await room.window.screenshot("transparent \(name)")
            var (left, top) = (0.0, 0.0)
            let frame = viewer.zoom.frame
            gtk_widget_translate_coordinates(viewer.stage.widget, room.layers, frame.minX, frame.minY, &left, &top)
            // Along the upper edge, which is clear.
            let seen = (12..<Int(frame.width) - 12).map { shot.color(Int(left) + $0, Int(top) + 15) & 0xFF }
            let tones = Dictionary(grouping: seen) { $0 }.filter { $0.value.count > 40 }.keys.sorted()
            #expect(tones.count == 2, "\(tones)")
            for tone in tones { #expect(abs(Int(tone) - Int(gray & 0xFF)) > 24) }
            #expect(shot.color(Int(left + frame.width / 2), Int(top + frame.height / 2)) == gray & 0xFF_FFFF)
            room.leave()
        }
    }
#endif
