import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing
import Waiting

@testable import CalotypeUI

@MainActor
@Suite struct PlayingViewTests {
    private let clock = ManualClock()

    @MainActor
    private final class Setting {
        var allows = false
    }

    private func room(repetitions: Int? = 0) -> Room {
        let gif = SampleAnimations.gif(
            width: 8, height: 6, colors: [0xFF0000, 0x00FF00, 0x0000FF], repetitions: repetitions)
        var room = Room { request in HTTPResponse(url: request.url, status: 200, body: HTTPBody(gif)) }
        room.options.animationClock = clock
        return room
    }

    private func color(_ bitmap: Bitmap) -> Int {
        bitmap.withUnsafeBytes { Int($0.load(as: UInt32.self) & 0xFF_FFFF) }
    }

    @Test func `a view shows the first frame, and then one after the other`() async {
        let room = room()
        let binder = ImageBinder(room.options)
        var shown: [Int] = []
        binder.onChange = { if let image = $0.image { shown.append(color(image.bitmap)) } }
        binder.show(.photo())
        await waitUntil { shown == [0xFF0000] }
        for count in 2...5 {
            await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(100))
            await waitUntil { shown.count == count }
        }
        #expect(shown == [0xFF0000, 0x00FF00, 0x0000FF, 0xFF0000, 0x00FF00])
        #expect(binder.state.image.map { color($0.bitmap) } == 0x00FF00)
        #expect(room.transport.requestCount == 1)
    }

    #if JPEGXL
        @Test func `a view plays an animated JPEG XL`() async throws {
            let file = try JPEGXLFile.animation(width: 8, height: 6, colors: [0xFF0000, 0x00FF00, 0x0000FF])
            var room = Room { request in HTTPResponse(url: request.url, status: 200, body: HTTPBody(file)) }
            room.options.animationClock = clock
            let binder = ImageBinder(room.options)
            var shown: [Int] = []
            binder.onChange = { if let image = $0.image { shown.append(color(image.bitmap)) } }
            binder.show(.photo())
            await waitUntil { shown == [0xFF0000] }
            for count in 2...4 {
                await clock.waitForSleepers(1)
                clock.advance(by: .milliseconds(100))
                await waitUntil { shown.count == count }
            }
            #expect(shown == [0xFF0000, 0x00FF00, 0x0000FF, 0xFF0000])
        }
    #endif

    @Test func `off screen nothing sleeps, and back on screen it goes on`() async {
        let binder = ImageBinder(room().options)
        var shown: [Int] = []
        binder.onChange = { if let image = $0.image { shown.append(color(image.bitmap)) } }
        binder.show(.photo())
        await clock.waitForSleepers(1)
        binder.disappear()
        await waitUntil { clock.sleepers == 0 }
        binder.appear()
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        await waitUntil { shown.last == 0x00FF00 }
    }

    @Test func `another request ends the animation of the one before`() async {
        let binder = ImageBinder(room().options)
        binder.show(.photo("a"))
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        await waitUntil { binder.state.image.map { color($0.bitmap) } == 0x00FF00 }
        binder.show(.photo("b"))
        #expect(binder.state.image == nil)
        await waitUntil { binder.state.image != nil }
        #expect(binder.state.image.map { color($0.bitmap) } == 0xFF0000)
    }

    @Test func `with the first frame only, the frames are not opened`() async {
        var options = room().options
        options.plays = .firstFrame
        let binder = ImageBinder(options)
        binder.show(.photo())
        await waitUntil { binder.state.image != nil }
        #expect(!binder.isMoving)
    }

    @Test func `where the system wants no animations, the first frame stays until it does`() async {
        let setting = Setting()
        var options = room().options
        options.allowsAnimation = { setting.allows }
        let binder = ImageBinder(options)
        binder.show(.photo())
        await waitUntil { binder.isMoving }
        #expect(clock.sleepers == 0)
        setting.allows = true
        binder.disappear()
        binder.appear()
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        await waitUntil { binder.state.image.map { color($0.bitmap) } == 0x00FF00 }
    }

    @Test func `releasing the binder ends the animation`() async {
        var binder: ImageBinder? = ImageBinder(room().options)
        binder?.show(.photo())
        await clock.waitForSleepers(1)
        binder = nil
        await waitUntil { clock.sleepers == 0 }
    }

    @Test func `the model's state is the frame that is due`() async {
        let model = ImageModel(room(repetitions: nil).options)
        model.request = .photo()
        for color in [0xFF0000, 0x00FF00, 0x0000FF] {
            await waitUntil { model.state.image.map { self.color($0.bitmap) } == color }
            if color != 0x0000FF {
                await clock.waitForSleepers(1)
                clock.advance(by: .milliseconds(100))
            }
        }
    }
}
