import CSandbox

extension calotype_frame {
    init(_ frame: AnimationFrame) {
        self.init()
        x = UInt64(clamping: frame.rect.x)
        y = UInt64(clamping: frame.rect.y)
        width = UInt64(clamping: frame.rect.width)
        height = UInt64(clamping: frame.rect.height)
        (seconds, attoseconds) = frame.duration.components
        disposal = frame.disposal == .keep ? 0 : frame.disposal == .clear ? 1 : 2
        blends = frame.blends ? 1 : 0
        has_alpha = frame.hasAlpha ? 1 : 0
    }
}

extension AnimationFrame {
    /// Returns `nil` if a value is out of range. The rectangle may exceed the canvas: `AnimationIndex` clips it.
    init?(_ message: calotype_frame) {
        let longest: UInt64 = 1 << 31
        guard message.x <= longest, message.y <= longest, message.width <= longest, message.height <= longest,
            message.disposal < 3, message.blends < 2, message.has_alpha < 2,
            let duration = Duration(seconds: message.seconds, attoseconds: message.attoseconds)
        else { return nil }
        self.init(
            rect: PixelRect(
                x: Int(message.x), y: Int(message.y), width: Int(message.width), height: Int(message.height)),
            duration: duration, disposal: [.keep, .clear, .restore][Int(message.disposal)],
            blends: message.blends == 1, hasAlpha: message.has_alpha == 1)
    }
}
