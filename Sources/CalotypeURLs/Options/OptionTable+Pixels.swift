import CalotypeBase

// The options of colors, filters and watermarks.

extension OptionTable {
    static let pixels: [OptionRow] = [
        OptionRow("background", "bg", write: { $0.background.map { ByteString($0.description.dropFirst()) } }) {
            (options, arguments) throws(RenditionError) in
            options.background = try color(arguments)
        },
        .number(\.backgroundAlpha, to: 1, "background_alpha", "bga"),
        OptionRow("adjust", "a", takes: 3) { (options, arguments) throws(RenditionError) in
            if !arguments.isOmitted(0) { options.brightness = try arguments.integer(0, in: -255...255) }
            if !arguments.isOmitted(1) { options.contrast = try arguments.number(1, in: 0...100) }
            if !arguments.isOmitted(2) { options.saturation = try arguments.number(2, in: 0...100) }
        },
        .integer(\.brightness, -255...255, "brightness", "br"),
        .number(\.contrast, to: 100, "contrast", "co"),
        .number(\.saturation, to: 100, "saturation", "sa"),
        .number(\.blur, to: 1000, "blur", "bl"),
        .number(\.sharpen, to: 100, "sharpen", "sh"),
        .integer(\.pixelate, 0...longestSide, "pixelate", "pix"),
        OptionRow("watermark", "wm", takes: 5, write: { $0.watermark?.text }) {
            (options, arguments) throws(RenditionError) in
            var watermark = options.given.watermark
            watermark.opacity = try arguments.number(0, in: 0...1)
            if !arguments.isOmitted(1) {
                let place = OptionArguments(name: arguments.name, values: [try arguments.text(1)])
                try place.readAnchor(&watermark.anchor, .ofWatermarks)
            }
            if !arguments.isOmitted(2) { watermark.anchor.x = try arguments.number(2, in: -65_535...65_535) }
            if !arguments.isOmitted(3) { watermark.anchor.y = try arguments.number(3, in: -65_535...65_535) }
            if !arguments.isOmitted(4) { watermark.scale = try arguments.number(4, in: 0...100) }
            options.given.watermark = watermark
            options.watermark = watermark.opacity == 0 ? nil : watermark
        },
    ]

    /// Reads a hexadecimal color or three channels. Returns `nil` if the only argument is empty.
    private static func color(_ arguments: OptionArguments) throws(RenditionError) -> ImageColor? {
        guard arguments.values.count == 3 else {
            try arguments.atMost(1)
            return arguments.isOmitted(0) ? nil : try arguments.color(0)
        }
        func channel(_ index: Int) throws(RenditionError) -> UInt8 {
            UInt8(clamping: try arguments.integer(index, in: 0...255))
        }
        return ImageColor(red: try channel(0), green: try channel(1), blue: try channel(2))
    }
}

extension RenditionOptions.Watermark {
    fileprivate var text: ByteString {
        "\(opacity.short):\(anchor.place.rawValue):\(anchor.x.short):\(anchor.y.short):\(scale.short)"
    }
}
