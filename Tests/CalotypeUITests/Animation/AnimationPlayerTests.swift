import CalotypeCodecs
@testable import CalotypeUI
import Requirements
import Testing

@Suite struct AnimationPlayerTests {
    /// A player with its view: frames of one pixel whose value is their number.
    private struct Stage {
        var player: AnimationPlayer
        var time = Duration.zero
        var shown: [Int] = []
        var wakes: Duration?
        var decoding: Int?
        var decoded: [Int] = []
        var broken: Set<Int> = []

        init(
            _ count: Int, milliseconds: Int = 100, loopCount: Int? = nil,
            playback: AnimationPlayback = .automatic
        ) {
            player = AnimationPlayer(
                durations: [Duration](repeating: .milliseconds(milliseconds), count: count), loopCount: loopCount,
                playback: playback)
        }

        mutating func perform(_ action: AnimationPlayer.Action) {
            if let bitmap = action.shows { shown.append(Stage.number(of: bitmap)) }
            wakes = action.wakes
            if let frame = action.decodes {
                #expect(decoding == nil)
                decoding = frame
            }
        }

        /// Delivers the decode in flight, and those that follow from it.
        mutating func decodeAll() throws {
            while decoding != nil { try decodeOne() }
        }

        mutating func decodeOne() throws {
            guard let frame = decoding else { return }
            decoding = nil
            decoded.append(frame)
            let bitmap = broken.contains(frame) ? nil : try Stage.frame(frame)
            perform(player.receive(bitmap, frame: frame, at: time))
        }

        mutating func play() throws {
            perform(player.setVisible(true, at: time))
            perform(player.start(at: time))
            try decodeAll()
        }

        /// Advances the time, with decodes that take none.
        mutating func pass(milliseconds: Int) throws {
            let end = time + .milliseconds(milliseconds)
            while let wakes, wakes <= end {
                time = wakes
                perform(player.tick(at: time))
                try decodeAll()
            }
            time = end
        }

        static func frame(_ number: Int) throws -> Bitmap {
            try Bitmap(width: 1, height: 1, hasAlpha: false) { pixels, _ in
                pixels.storeBytes(of: UInt32(number), as: UInt32.self)
            }
        }

        static func number(of bitmap: Bitmap) -> Int {
            bitmap.withUnsafeBytes { Int($0.load(as: UInt32.self)) }
        }
    }

    @Test(.requirement("B67")) func `frames are shown in order, each for its time, again and again`() throws {
        var stage = Stage(3)
        try stage.play()
        #expect(stage.shown == [0])
        try stage.pass(milliseconds: 99)
        #expect(stage.shown == [0])
        try stage.pass(milliseconds: 1)
        #expect(stage.shown == [0, 1])
        try stage.pass(milliseconds: 500)
        #expect(stage.shown == [0, 1, 2, 0, 1, 2, 0])
        #expect(stage.player.loops == 2 && stage.player.skipped == 0)
    }

    @Test(.requirement("B67"))
    func `it ends on the last frame after as many times as the file says, and starting again begins at the first`()
        throws
    {
        var stage = Stage(3, loopCount: 2)
        try stage.play()
        try stage.pass(milliseconds: 2000)
        #expect(stage.shown == [0, 1, 2, 0, 1, 2])
        #expect(stage.player.isFinished && stage.wakes == nil)
        stage.perform(stage.player.start(at: stage.time))
        try stage.decodeAll()
        #expect(stage.shown.last == 0 && !stage.player.isFinished)
        try stage.pass(milliseconds: 100)
        #expect(stage.shown.last == 1)
    }

    @Test func `a limit of the view's own takes the place of the file's`() throws {
        var once = Stage(2, loopCount: nil, playback: .times(1))
        try once.play()
        try once.pass(milliseconds: 1000)
        #expect(once.shown == [0, 1])
        var endless = Stage(2, loopCount: 1, playback: .endless)
        try endless.play()
        try endless.pass(milliseconds: 300)
        #expect(endless.shown == [0, 1, 0, 1])
    }

    @Test func `with the first frame only, nothing else is decoded`() throws {
        var stage = Stage(3, playback: .firstFrame)
        try stage.play()
        try stage.pass(milliseconds: 1000)
        #expect(stage.shown == [0] && stage.decoded == [0] && stage.wakes == nil)
    }

    @Test func `an animation of one frame never wakes`() throws {
        var stage = Stage(1)
        try stage.play()
        #expect(stage.shown == [0] && stage.wakes == nil)
    }

    @Test func `frames that should be over by the time they come are skipped, and the others keep to the clock`() throws
    {
        var stage = Stage(10)
        stage.perform(stage.player.setVisible(true, at: .zero))
        stage.perform(stage.player.start(at: .zero))
        try stage.decodeOne()
        #expect(stage.shown == [0] && stage.decoding == 1)
        // Frame 1 takes until 450 ms: 4 is due.
        for time in [100, 200, 300, 400] {
            stage.time = .milliseconds(time)
            stage.perform(stage.player.tick(at: stage.time))
        }
        stage.time = .milliseconds(450)
        try stage.decodeOne()
        #expect(stage.shown == [0, 1], "late rather than never")
        #expect(stage.decoding == 4)
        try stage.decodeOne()
        #expect(stage.shown == [0, 1, 4] && stage.player.skipped == 2)
        #expect(stage.wakes == .milliseconds(500))
    }

    @Test func `after a long sleep it goes on from where it was`() throws {
        var stage = Stage(10)
        try stage.play()
        stage.time = .seconds(60)
        stage.perform(stage.player.tick(at: stage.time))
        #expect(stage.shown == [0, 1] && stage.player.skipped == 0)
        #expect(stage.wakes == .milliseconds(60_100))
    }

    @Test func `off screen nothing moves and only the frame that is shown is held, and it goes on when it is back`()
        throws
    {
        var stage = Stage(5)
        try stage.play()
        try stage.pass(milliseconds: 130)
        #expect(stage.shown == [0, 1] && stage.player.heldBytes == 20)
        stage.perform(stage.player.setVisible(false, at: stage.time))
        #expect(stage.wakes == nil && stage.decoding == nil)
        #expect(stage.player.heldBytes == 4)
        stage.time += .seconds(30)
        stage.perform(stage.player.setVisible(true, at: stage.time))
        try stage.decodeAll()
        #expect(stage.shown == [0, 1] && stage.wakes == stage.time + .milliseconds(70))
        try stage.pass(milliseconds: 70)
        #expect(stage.shown == [0, 1, 2])
    }

    @Test func `where the system wants no animations, it stays as it is`() throws {
        var stage = Stage(3)
        stage.perform(stage.player.setAllowed(false, at: .zero))
        try stage.play()
        #expect(stage.shown == [0] && stage.wakes == nil && stage.decoded == [0])
        stage.perform(stage.player.setAllowed(true, at: .zero))
        try stage.decodeAll()
        try stage.pass(milliseconds: 100)
        #expect(stage.shown == [0, 1])
    }

    @Test(.requirement("B67"))
    func `as many frames are decoded ahead as the budget allows, and one in any case`() throws {
        var playback = AnimationPlayback.automatic
        playback.frameBytes = 12
        var stage = Stage(6, playback: playback)
        try stage.play()
        #expect(stage.decoded == [0, 1, 2])
        try stage.pass(milliseconds: 100)
        #expect(stage.decoded == [0, 1, 2, 3] && stage.player.heldBytes == 12)
        playback.frameBytes = 0
        var small = Stage(6, playback: playback)
        try small.play()
        #expect(small.decoded == [0, 1])
        try small.pass(milliseconds: 600)
        #expect(small.shown == [0, 1, 2, 3, 4, 5, 0])
        #expect(small.player.heldBytes == 8)
    }

    @Test func `where all frames fit, each is decoded once`() throws {
        var stage = Stage(4)
        try stage.play()
        try stage.pass(milliseconds: 4000)
        #expect(stage.decoded == [0, 1, 2, 3] && stage.shown.count == 41)
    }

    @Test func `beyond the last time nothing is decoded ahead`() throws {
        var playback = AnimationPlayback.times(1)
        playback.frameBytes = 8
        var stage = Stage(3, playback: playback)
        try stage.play()
        try stage.pass(milliseconds: 1000)
        #expect(stage.decoded == [0, 1, 2])
    }

    @Test func `a damaged frame is the end, after those before it`() throws {
        var stage = Stage(5)
        stage.broken = [3]
        try stage.play()
        try stage.pass(milliseconds: 1000)
        #expect(stage.shown == [0, 1, 2] && stage.player.isFinished && stage.wakes == nil)
    }
}
