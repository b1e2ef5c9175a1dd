#if GTK
    import CGTK4
    import Calotype
    import CalotypeCodecs
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeUI
    import Foundation
    import Requirements
    import Testing

    @testable import CalotypeGTK

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct RemotePictureTests {
        private let studio: Studio
        private let cover = PictureStyle(fit: .cover)

        init() throws {
            studio = try Studio()
        }

        @Test(.requirement("S4.16")) func `a spinner while it loads, then the image and no spinner`() async throws {
            let gate = Gate()
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0, width: 900, height: 600)).held(by: gate))
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.spins }
            #expect(await window.screenshot("loading").middle != 0x3060C0)
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("loaded").middle == 0x3060C0)
            #expect(!picture.view.spins)
            window.close()
        }

        @Test(.requirement("D4.15"))
        func `the spinner is in the middle of its picture, wherever the picture is`() async throws {
            let gate = Gate()
            defer { gate.open() }
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0)).held(by: gate))
            let pictures = (0..<2).map { _ in RemotePicture(studio.options, style: cover) }
            let row: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            for picture in pictures {
                gtk_box_append(row.box, picture.widget)
                picture.show(studio.request("/1"))
            }
            let window = TestWindow(width: 300, height: 200, row)
            await window.frames { pictures.allSatisfy { $0.view.spins } }
            await window.nextFrame()
            let middles = try pictures.map { try #require($0.view.spinner).middle(in: row) }
            #expect(middles.map(\.x) == [75, 225] && middles.map(\.y) == [100, 100])
            window.close()
        }

        @Test(.requirement("B70"))
        func `the first frame of an image that is in memory has it, and no placeholder before`() async throws {
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0, width: 900, height: 600)))
            var sized = studio.request("/1")
            sized.size = ResizeTarget(width: 300, height: 200, mode: .fill)
            _ = try await studio.loader.fetch(sized)
            let picture = RemotePicture(studio.options, style: cover)
            var states: [RemoteImageState] = []
            picture.onStateChange = { states.append($0) }
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            let shot = await window.screenshot()
            #expect(window.frameOfScreenshot == 1)
            #expect(shot.middle == 0x3060C0)
            #expect(states.map { $0.image?.wasCached } == [true])
            window.close()
        }

        @Test func `in a plain box it takes the room that there is, and elsewhere it can be seen`() async throws {
            let studio = try Studio()
            studio.origin.on("/a", .ok(try Palette.png(0x20C040), type: "image/png"))
            let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let small: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            let pictures = (0..<2).map { _ in RemotePicture(studio.options) }
            gtk_box_append(box.box, pictures[0].widget)
            gtk_box_append(small.box, pictures[1].widget)
            gtk_box_append(box.box, small)
            for side in [gtk_widget_set_hexpand, gtk_widget_set_vexpand] { side(pictures[1].widget, 0) }
            let window = TestWindow(width: 300, height: 200, box)
            for picture in pictures { picture.show(studio.request("/a")) }
            await window.frames { pictures.allSatisfy { $0.state.image != nil } }
            await window.nextFrame()
            func size(_ picture: RemotePicture) -> [gint] {
                [gtk_widget_get_width(picture.widget), gtk_widget_get_height(picture.widget)]
            }
            #expect(size(pictures[0]) == [300, 152])
            #expect(size(pictures[1]) == [48, 48])
            window.close()
        }

        @Test func `an animation plays in its window, up to its last frame`() async throws {
            // All other tests turn animations off, so that a screenshot never shows an image that fades in.
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            let gif = SampleAnimations.gif(
                width: 90, height: 60, colors: [0x3060C0, 0xC06030, 0x30C060], repetitions: nil)
            studio.origin.on("/1", .ok(gif))
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            var states = 0
            picture.onStateChange = { if $0.image != nil { states += 1 } }
            await window.frames { picture.state.image.map { Palette.color(of: $0.bitmap) } == 0x30C060 }
            #expect(await window.screenshot("animation").middle == 0x30C060)
            #expect(states == 1, "frames are no states")
            window.close()
        }

        @Test func `a style that shows the first frame alone opens no animation`() async throws {
            studio.origin.on("/1", .ok(SampleAnimations.gif(width: 90, height: 60, colors: [0x3060C0, 0xC06030])))
            let picture = RemotePicture(studio.options, style: PictureStyle(plays: .firstFrame))
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("first-frame").middle == 0x3060C0)
            #expect(picture.view.binder?.isMoving == false)
            window.close()
        }

        @Test(.requirement("S1.11")) func `with the size given, a hit is shown before show returns`() async throws {
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0)))
            var sized = studio.request("/1")
            sized.size = ResizeTarget(width: 8)
            _ = try await studio.loader.fetch(sized)
            let picture = RemotePicture(studio.options)
            picture.show(sized)
            #expect(picture.view.page == .image)
        }

        @Test func `it asks for the size of its place, and again when the place has grown`() async throws {
            studio.origin.on("/1", .ok(try Palette.png(0x3060C0, width: 1200, height: 900)))
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(studio.request("/1"))
            let window = TestWindow(width: 200, height: 100, picture.widget)
            await window.frames { picture.state.image != nil }
            #expect(picture.state.image.map { [$0.bitmap.width, $0.bitmap.height] } == [200, 100])
            window.resize(width: 400, height: 300)
            await window.frames { picture.state.image?.bitmap.width == 400 }
            #expect(picture.state.image?.bitmap.height == 300)
            // Smaller, but not by much: the present bitmap will do.
            window.resize(width: 300, height: 200)
            await window.frames { picture.view.place?.width == 300 }
            await window.nextFrame()
            #expect(picture.state.image?.bitmap.width == 400)
            window.close()
        }

        @Test(.requirement("S2.12", "S4.23"), arguments: ["404", "page", "cut", "offline"])
        func `the error page says what happened, and retry brings the image`(_ kind: String)
            async throws
        {
            let picture = RemotePicture(studio.options, style: cover)
            let good = OriginReply.ok(try Palette.png(0x20A040))
            let bad: OriginReply =
                switch kind {
                case "404": .status(404)
                case "page": .html("<h1>Please log in</h1>")
                case "cut": .ok(SamplePhotos.jpeg()).droppedAfter(bytes: 1000)
                default: OriginReply().resetImmediately()
                }
            studio.origin.on("/1", replies: [bad, good])
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .error }
            _ = await window.screenshot("error-\(kind)")
            let words = try #require(picture.view.message)
            // Plain sentences: the original messages of libraries go to the log.
            let sentences = [
                "404": "There is no image at this address.", "page": "The server sent something that is not an image.",
                "cut": "The image arrived incomplete.", "offline": "The connection to the server failed.",
            ]
            #expect(words == sentences[kind])
            gtk_widget_activate(picture.view.retryButton)
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("retried-\(kind)").middle == 0x20A040)
            #expect(picture.view.page == .image)
            window.close()
        }

        /// The page used to compute its width without the available space, and its height for that width: the part that
        /// needs more in a narrow space was cut off at the top.
        @Test func `in a narrow place the sentence and the button are seen whole`() async throws {
            studio.origin.on("/1", .status(503))
            var options = studio.options
            options.texts.message = { _ in
                "The server has a problem that takes a good many words to explain. Try again later, or another day."
            }
            let picture = RemotePicture(options)
            picture.show(studio.request("/1"))
            let window = TestWindow(width: 200, height: 200, picture.widget)
            await window.frames { picture.view.page == .error }
            _ = await window.screenshot("error narrow")
            let page = try #require(picture.view.errorPage)
            #expect(page.showsText && page.showsButton)
            #expect(page.tooltip == nil)
            #expect(gtk_widget_get_width(picture.widget) == 200)
            for part in [page.widget, page.label, page.button] {
                var bounds = graphene_rect_t()
                #expect(gtk_widget_compute_bounds(part, picture.widget, &bounds) != 0)
                #expect(bounds.origin.y >= 0 && bounds.origin.x >= 0)
                #expect(bounds.origin.y + bounds.size.height <= 200)
                #expect(bounds.origin.x + bounds.size.width <= 200)
            }
            window.close()
        }

        @Test(arguments: [(100, 70, true), (40, 30, false)])
        func `in a place too small for the sentence it is the tooltip`(
            _ width: Int, _ height: Int, _ showsButton: Bool
        ) async throws {
            studio.origin.on("/1", .status(503))
            let picture = RemotePicture(studio.options)
            picture.show(studio.request("/1"))
            let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            gtk_widget_set_size_request(picture.widget, gint(width), gint(height))
            gtk_widget_set_halign(picture.widget, GTK_ALIGN_START)
            gtk_widget_set_valign(picture.widget, GTK_ALIGN_START)
            gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), picture.widget)
            let window = TestWindow(box)
            await window.frames { picture.view.page == .error }
            _ = await window.screenshot("error small \(width)")
            let page = try #require(picture.view.errorPage)
            #expect(!page.showsText)
            #expect(page.showsButton == showsButton)
            #expect(page.tooltip == "The server has a problem. Try again later.")
            window.close()
        }

        @Test func `where asking again cannot help, there is no button`() async throws {
            let url = try #require(URL(string: "gopher://photos.example/1.png"))
            let picture = RemotePicture(studio.options)
            picture.show(ImageRequest(url))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .error }
            _ = await window.screenshot("error permanent")
            #expect(picture.view.message == "This kind of address is not supported.")
            #expect(picture.view.retryButton == nil)
            window.close()
        }

        @Test func `the words are the application's to replace`() async throws {
            studio.origin.on("/1", .status(404))
            var options = studio.options
            options.texts.retry = "Erneut versuchen"
            options.texts.message = { "Kein Bild (\($0.status ?? 0))" }
            let picture = RemotePicture(options)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { picture.view.page == .error }
            #expect(picture.view.message == "Kein Bild (404)")
            let button = try #require(picture.view.retryButton)
            let label = gtk_button_get_label(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self))
            #expect(label.map { String(cString: $0) } == "Erneut versuchen")
            window.close()
        }

        @Test func `pull to refresh: shown again, a request that ignores caches is loaded again`() async throws {
            studio.origin.on("/1", replies: [.ok(try Palette.png(0xC02020)), .ok(try Palette.png(0x20A040))])
            var request = studio.request("/1")
            request.policy = .reloadIgnoringCache
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(request)
            let window = TestWindow(picture.widget)
            await window.frames { picture.state.image != nil }
            picture.show(request)
            // The old image stays until the new one arrives.
            #expect(await window.screenshot("refreshing").middle != 0x000000)
            #expect(picture.view.page == .image)
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot("refreshed").middle == 0x20A040)
            window.close()
        }

        @Test func `the bar shows how far the download is`() async throws {
            let gate = Gate()
            let data = SamplePhotos.jpeg()
            studio.origin.on("/1", .ok(data).bodyHeld(by: gate, after: data.count / 2))
            let picture = RemotePicture(studio.options)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { (picture.view.progress ?? 0) > 0.4 }
            _ = await window.screenshot("progress")
            #expect((picture.view.progress ?? 1) < 0.6)
            gate.open()
            await window.frames { picture.state.image != nil }
            window.close()
        }

        @Test(.requirement("B69")) func `a second request before the first is answered: the first is never seen`()
            async throws
        {
            let gate = Gate()
            studio.origin.on("/1", .ok(try Palette.png(0xC02020)).held(by: gate))
            studio.origin.on("/2", .ok(try Palette.png(0x20A040)))
            let picture = RemotePicture(studio.options, style: cover)
            var seen: [UInt32] = []
            picture.onStateChange = { if let image = $0.image { seen.append(image.bitmap.firstPixel) } }
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await studio.origin.waitForRequests(1)
            picture.show(studio.request("/2"))
            await studio.origin.waitForDisconnects(1)
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(await window.screenshot().middle == 0x20A040)
            #expect(seen == [0x20A040])
            window.close()
        }

        @Test(.requirement("S0.18", "B71"))
        func `it loads while it is mapped; hidden, the load ends, and shown again it comes back`()
            async throws
        {
            let gate = Gate()
            studio.origin.on(
                "/1", replies: [.ok(try Palette.png(0x20A040)).held(by: gate), .ok(try Palette.png(0x20A040))])
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(studio.request("/1"))
            #expect(studio.origin.requestCount() == 0)
            let window = TestWindow(picture.widget)
            await studio.origin.waitForRequests(1)
            gtk_widget_set_visible(picture.widget, 0)
            await studio.origin.waitForDisconnects(1)
            gtk_widget_set_visible(picture.widget, 1)
            await window.frames { picture.state.image != nil }
            #expect(studio.origin.requestCount() == 2)
            window.close()
        }

        @Test(.requirement("S4.18")) func `closing the window in mid-load ends the load, and nothing is left`()
            async throws
        {
            let gate = Gate()
            studio.origin.on("/1", .ok(try Palette.png(0x20A040)).held(by: gate))
            weak var view: PictureView?
            weak var binder: ImageBinder?
            do {
                let picture = RemotePicture(studio.options)
                picture.show(studio.request("/1"))
                (view, binder) = (picture.view, picture.view.binder)
                let window = TestWindow(picture.widget)
                await studio.origin.waitForRequests(1)
                await window.nextFrame()
                window.close()
            }
            await studio.origin.waitForDisconnects(1)
            let other = TestWindow(gtk_label_new("after"))
            await other.frames { view == nil && binder == nil }
            other.close()
        }

        @Test func `what GTK paints is made once per bitmap, and ends with it`() throws {
            var bitmap: Bitmap? = try Palette.bitmap(0x123456, width: 40, height: 30)
            weak var paintable: ObjectReference?
            do {
                let first = try #require(bitmap?.paintable)
                let copy = bitmap
                #expect(copy?.paintable === first)
                #expect(gdk_paintable_get_intrinsic_width(first.opaque) == 40)
                paintable = first
            }
            #expect(paintable != nil)
            bitmap = nil
            #expect(paintable == nil)
        }

        @Test(arguments: [true, false])
        func `with a graphics card or without, it is painted from the bitmap's own pixels`(byCairo: Bool) async throws {
            weak var memory: PixelMemory?
            do {
                let bitmap = try Palette.bitmap(0x123456, width: 40, height: 30)
                let made = bitmap.companion { pixels in
                    memory = pixels
                    return bitmap.makePaintable(over: pixels, byCairo: byCairo)
                }
                let picture = gtk_picture_new_for_paintable(try #require(made).opaque)
                let window = TestWindow(width: 40, height: 30, try #require(picture))
                #expect(await window.screenshot("byCairo-\(byCairo)").middle == 0x123456)
                window.close()
            }
            let other = TestWindow(gtk_label_new("after"))
            await other.frames { memory == nil }
            other.close()
        }

        @Test func `an image too long for Cairo is kept no longer than it lives`() async throws {
            weak var memory: PixelMemory?
            do {
                let bitmap = try Palette.bitmap(0x123456, width: 40_000, height: 1)
                let made = bitmap.companion { pixels in
                    memory = pixels
                    return bitmap.makePaintable(over: pixels, byCairo: true)
                }
                #expect(gdk_paintable_get_intrinsic_width(try #require(made).opaque) == 40_000)
            }
            #expect(memory == nil)
        }

        @Test(.requirement("B70")) func `past its freshness, an image is in the first frame and no spinner over it`()
            async throws
        {
            let gate = Gate()
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": "max-age=60"]
            let png = try Palette.png(0x3060C0, width: 300, height: 200)
            studio.origin.on(
                "/1",
                replies: [
                    OriginReply(fields: fields, body: png), OriginReply(status: 304, fields: fields).held(by: gate),
                ])
            let clock = ManualClock()
            let folder = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let options = studio.options(overDisk: folder, clock: clock)
            var sized = studio.request("/1")
            sized.size = ResizeTarget(width: 300, height: 200, mode: .fill)
            _ = try await options.loader.fetch(sized)
            clock.advance(by: .seconds(61))
            let picture = RemotePicture(options, style: cover)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            let shot = await window.screenshot()
            #expect(window.frameOfScreenshot == 1)
            #expect(shot.middle == 0x3060C0)
            await studio.origin.waitForRequests(2)
            #expect(picture.state.isLoading)
            #expect(!picture.view.spins)
            gate.open()
            await window.frames { picture.state.image != nil }
            #expect(picture.state.image?.wasCached == true)
            #expect(await window.screenshot("confirmed").middle == 0x3060C0)
            window.close()
        }

        @Test func `two views of one image paint the same thing`() async throws {
            studio.origin.on("/1", .ok(try Palette.png(0x20A040)))
            var request = studio.request("/1")
            request.size = ResizeTarget(width: 8)
            _ = try await studio.loader.fetch(request)
            let pictures = [RemotePicture(studio.options), RemotePicture(studio.options)]
            for picture in pictures { picture.show(request, label: "A green square") }
            #expect(pictures[0].view.paintable != nil)
            #expect(pictures[0].view.paintable == pictures[1].view.paintable)
            #expect(pictures[0].view.label == "A green square")
        }

        @Test(arguments: [(1, 1), (10_000, 1), (1, 10_000)])
        func `images of odd shapes are shown`(_ width: Int, _ height: Int) async throws {
            studio.origin.on("/1", .ok(try Palette.png(0x20A040, width: width, height: height)))
            let picture = RemotePicture(studio.options, style: cover)
            picture.show(studio.request("/1"))
            let window = TestWindow(picture.widget)
            await window.frames { !picture.state.isLoading }
            #expect(picture.state.image != nil)
            #expect(await window.screenshot("odd-\(width)x\(height)").middle == 0x20A040)
            window.close()
        }
    }

    extension Bitmap {
        /// 0xRRGGBB.
        var firstPixel: UInt32 { withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) & 0xFF_FFFF } }
    }
#endif
