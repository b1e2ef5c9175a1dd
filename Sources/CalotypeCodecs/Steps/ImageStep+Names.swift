// Short names for lists of steps, among them the five processors of AWebImage: Round, Circle, Square, Resize, Crop.

extension ImageStep where Self == Resize {
    /// Scales to a target: see `ResizeTarget`.
    public static func resize(
        width: Int? = nil, height: Int? = nil, mode: ResizeTarget.Mode = .fit, upscales: Bool = false,
        filter: ResizeFilter = .automatic
    ) -> Resize {
        Resize(ResizeTarget(width: width, height: height, mode: mode, upscales: upscales, filter: filter))
    }

    /// Covers this size, enlarging if necessary, and cuts off the rest, so that the result has exactly this size.
    ///
    /// AWebImage's Crop. To cut out a part without scaling, use `crop(to:gravity:)`.
    public static func fill(width: Int, height: Int, gravity: Gravity = .center) -> Resize {
        Resize(ResizeTarget(width: width, height: height, mode: .fill, upscales: true, gravity: gravity))
    }

    /// AWebImage's Resize: the shorter side gets this length, the ratio is kept, smaller images stay as they are.
    public static func resize(shortSide: Double) -> Resize { Resize(shortSide: shortSide) }
}

extension ImageStep where Self == Crop {
    /// Cuts out a part of at most this size, without scaling.
    public static func crop(to size: PixelSize, gravity: Gravity = .center) -> Crop {
        Crop(size, gravity: gravity)
    }

    /// AWebImage's Square: the middle, cut to the length of the shorter side.
    public static var square: Crop { Crop(square: .center) }

    /// A square of the shorter side, where gravity says.
    public static func square(gravity: Gravity) -> Crop { Crop(square: gravity) }
}

extension ImageStep where Self == RoundedCorners {
    /// AWebImage's Round: rounded corners, of 3 pixels unless told otherwise.
    public static func round(radius: Double = 3) -> RoundedCorners { RoundedCorners(radius: radius) }
}

extension ImageStep where Self == Circle {
    /// The circle inside the square that the middle of the image is cut to.
    public static var circle: Circle { Circle() }

    /// AWebImage's Circle is `.circle(keepsSize: true)`: the circle on a canvas as large as the image.
    public static func circle(keepsSize: Bool) -> Circle { Circle(keepsSize: keepsSize) }
}

extension ImageStep where Self == Rotate {
    /// Turns clockwise by so many quarters.
    public static func rotate(quarterTurns: Int) -> Rotate { Rotate(quarterTurns: quarterTurns) }
}

extension ImageStep where Self == Flip {
    /// Mirrors left and right, or top and bottom.
    public static func flip(_ direction: Flip) -> Flip { direction }
}

extension ImageStep where Self == Pad {
    /// Adds a border of this many pixels.
    public static func pad(_ all: Int, color: ImageColor = .clear) -> Pad { Pad(all, color: color) }

    /// Puts the image on a larger canvas.
    public static func extend(
        width: Int, height: Int, gravity: Gravity = .center, color: ImageColor = .clear
    ) -> Pad {
        Pad(to: PixelSize(width: width, height: height), gravity: gravity, color: color)
    }
}

extension ImageStep where Self == Blur {
    /// A Gaussian blur of this deviation, in pixels.
    public static func blur(sigma: Double) -> Blur { Blur(sigma: sigma) }
}

extension ImageStep where Self == Sharpen {
    /// An unsharp mask.
    public static func sharpen(sigma: Double = 1, amount: Double = 0.5) -> Sharpen {
        Sharpen(sigma: sigma, amount: amount)
    }
}

extension ImageStep where Self == Trim {
    /// Removes a border of the top left pixel's color.
    public static var trim: Trim { Trim() }
}

extension ImageStep where Self == Background {
    /// Puts a color behind the transparent parts.
    public static func background(_ color: ImageColor) -> Background { Background(color) }
}

extension ImageStep where Self == Border {
    /// Draws a frame along the inner edge.
    public static func border(width: Double, color: ImageColor, radius: Double = 0) -> Border {
        Border(width: width, color: color, radius: radius)
    }
}

extension ImageStep where Self == Pixelate {
    /// Squares of this side, in pixels.
    public static func pixelate(_ side: Int) -> Pixelate { Pixelate(side) }
}

extension ImageStep where Self == Overlay {
    /// Draws an image over this one.
    public static func overlay(
        _ image: Bitmap, gravity: Gravity = .center, opacity: Double = 1, scale: Double? = nil
    ) -> Overlay {
        Overlay(image, gravity: gravity, opacity: opacity, scale: scale)
    }
}
