#if GTK
    import CAdwaita
    import Calotype
    import CalotypeGTK
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGallery

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct ActivityPanelTests {
        private let origin: OriginServer
        private let recorder: LoadRecorder
        private let loader: ImageLoader
        private let clock = ManualClock()

        init() throws {
            adw_init()
            origin = try OriginServer()
            recorder = LoadRecorder()
            var options = ImageLoaderOptions.ephemeral
            options.retry = .never
            options.onMetrics = recorder.record
            loader = ImageLoader(options)
        }

        @Test func `it counts what memory and the network answered, and lists the latest first`() async throws {
            origin.on("/sea.png", .ok(try Palette.png(0x3060C0)))
            let panel = ActivityPanel(loader, recorder, clock: clock)
            let window = TestWindow(width: 700, height: 500, panel.widget)
            panel.isShown = true
            await clock.waitForSleepers(1)
            #expect(panel.text(of: .network) == "0")
            for _ in 0..<3 { _ = try await loader.fetch(origin.url("/sea.png")) }
            _ = try? await loader.fetch(origin.url("/none.png"))
            clock.advance(by: ActivityPanel.interval)
            await window.frames { panel.text(of: .failed) == "1" }
            _ = await window.screenshot("what-happens")
            #expect(panel.text(of: .network) == "1" && panel.text(of: .memory) == "2" && panel.text(of: .disk) == "0")
            #expect(panel.decodeText == "1")
            #expect(panel.rows.filter(\.isShown).map(\.text.name) == ["none.png", "sea.png", "sea.png", "sea.png"])
            #expect(panel.rows[3].text.answer.hasPrefix("network, "))
            window.close()
        }

        @Test func `images that differ in their folders have different names`() async throws {
            let panel = ActivityPanel(loader, recorder, clock: clock)
            for path in ["/images/7/medium", "/images/12/medium?v=2"] {
                origin.on(path, .ok(try Palette.png(0x3060C0)))
                _ = try await loader.fetch(origin.url(path))
            }
            let folder = FileManager.default.temporaryDirectory.appending(path: "Holidays")
            _ = try? await loader.fetch(folder.appending(path: "a 1.png"))
            panel.refresh()
            #expect(panel.rows.prefix(3).map(\.text.name) == ["Holidays/a 1.png", "12/medium", "7/medium"])
        }

        @Test func `what is under way is seen before it has ended`() async throws {
            let gate = Gate()
            origin.on("/sea.png", .ok(try Palette.png(0x3060C0)).held(by: gate))
            let panel = ActivityPanel(loader, recorder, clock: clock)
            let load = Task { try await loader.fetch(origin.url("/sea.png")) }
            await origin.waitForRequests(1)
            panel.refresh()
            #expect(panel.underWayText == ViewerTexts.underWay(loads: 1, waiting: 0, decodes: 0))
            gate.open()
            _ = try await load.value
            #expect(recorder.tally[.network] == 1)
        }

        @Test func `hidden, it looks at nothing`() async throws {
            let panel = ActivityPanel(loader, recorder, clock: clock)
            #expect(!panel.isShown)
            panel.isShown = true
            await clock.waitForSleepers(1)
            panel.isShown = false
            origin.on("/sea.png", .ok(try Palette.png(0x3060C0)))
            _ = try await loader.fetch(origin.url("/sea.png"))
            clock.advance(by: .seconds(1))
            #expect(panel.text(of: .network) == "0")
            panel.isShown = true
            await clock.waitForSleepers(1)
            #expect(panel.text(of: .network) == "1")
        }
    }
#endif
