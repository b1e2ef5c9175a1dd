/// The gain map of a decoded image, by which displays with a larger range show more light.
///
/// Immutable: an image that is cropped, scaled or turned gets another map. A step that draws each pixel in a way of its own
/// returns an image without one.
package final class GainMap: Sendable {
    package let numbers: GainMapNumbers
    package let isGray: Bool
    package let plan: GainMapPlan
    /// The samples as opaque pixels: those of a gray map are the same in all channels.
    let samples: Bitmap
    /// The profile of the colors to which the gain applies; `nil` if these are the image's.
    let profile: [UInt8]?

    init(_ samples: Bitmap, _ numbers: GainMapNumbers, isGray: Bool, profile: [UInt8]?, plan: GainMapPlan) {
        (self.samples, self.numbers, self.isGray, self.plan) = (samples, numbers, isGray, plan)
        self.profile = profile
    }

    /// The code point of the primaries of ``profile`` (ITU-T H.273); `nil` if that is `nil`, or of other colors than these.
    var primaries: Int? {
        guard let profile else { return nil }
        if profile == [UInt8](GamutProfile.bt2020) { return 9 }
        return ColorProfile(profile)?.matches(.displayP3) == true ? ColorGamut.displayP3.primaries : nil
    }

    /// The memory of the samples in bytes.
    package var byteCount: Int { samples.byteCount }

    func changing(_ plan: GainMapPlan, _ samples: Bitmap? = nil) -> GainMap {
        GainMap(samples ?? self.samples, numbers, isGray: isGray, profile: profile, plan: plan)
    }

    /// Returns the map for a base of the colors to which the gain applies, or of any if the gain is the same for all colors.
    func applyingToBase() -> GainMap {
        var numbers = numbers
        numbers.usesBaseColors = true
        return GainMap(samples, numbers, isGray: isGray, profile: nil, plan: plan)
    }

    /// Returns the map turned by an EXIF orientation.
    func turned(_ exif: Int) throws(CodecError) -> GainMap {
        guard (2...8).contains(exif) else { return self }
        return changing(plan.turned(exif), try samples.oriented(exif))
    }

    /// Returns the map with just the samples for an image of this size. Around the content it is neutral.
    func drawn(for image: PixelSize) throws(CodecError) -> GainMap {
        let size = plan.size(for: image)
        guard !plan.isDrawn(size) else { return self }
        let window = plan.window
        let scaling = ImageScaling(
            columns: AxisScaling(
                count: samples.width, from: window.x, length: window.width, target: size.width, filter: plan.filter),
            rows: AxisScaling(
                count: samples.height, from: window.y, length: window.height, target: size.height, filter: plan.filter))
        let scaled = try samples.scaled(scaling)
        return changing(plan.drawn(size), try surrounded(scaled))
    }

    /// Returns the map blurred as its image is.
    ///
    /// - Parameter deviation: The standard deviation in pixels of the image.
    func blurred(_ deviation: Double, on image: PixelSize) throws(CodecError) -> GainMap {
        let map = try drawn(for: image)
        let own = deviation * Double(map.samples.width) / Double(image.width)
        guard own > 0.1 else { return map }
        return map.changing(
            map.plan, try map.samples.scaled(ImageScaling(blurring: map.samples.size, deviation: own)))
    }

    /// Returns the map, neutral where another image covers its image; `nil` if no value of the map is neutral.
    ///
    /// - Parameters:
    ///   - cover: The image that is drawn over this one.
    ///   - place: The place of its first pixel.
    ///   - opacity: The opacity by which that of its pixels is multiplied, from 0 to 1.
    func covered(
        by cover: Bitmap, at place: PixelRect, opacity: Double, on image: PixelSize
    ) throws(CodecError) -> GainMap? {
        guard let neutral = numbers.neutral else { return nil }
        let map = try drawn(for: image)
        let size = map.samples.size
        let (left, top) = (Double(-place.x), Double(-place.y))
        let scaling = ImageScaling(
            columns: AxisScaling(
                count: cover.width, from: left, length: Double(image.width), target: size.width, filter: .box),
            rows: AxisScaling(
                count: cover.height, from: top, length: Double(image.height), target: size.height, filter: .box))
        let columns = Self.coverage(
            GainMapPlan.Area(x: left, y: top, width: Double(image.width), height: Double(image.height)),
            of: GainMapPlan.Area(x: 0, y: 0, width: Double(cover.width), height: Double(cover.height)), size)
        let drawn = try cover.scaled(scaling)
        let covered = try drawn.withUnsafeBytes { (pixels) throws(CodecError) in
            try map.samples.mixed(with: neutral) { x, y in
                let alpha = pixels.load(fromByteOffset: y * drawn.stride + 4 * x + 3, as: UInt8.self)
                let opaque = drawn.hasAlpha ? Double(alpha) / 255 : 1
                return opacity * opaque * columns.x[x] * columns.y[y]
            }
        }
        return map.changing(map.plan, covered)
    }

    /// Makes the samples neutral where the window leaves the content.
    private func surrounded(_ scaled: Bitmap) throws(CodecError) -> Bitmap {
        let parts = Self.coverage(plan.window, of: plan.content, scaled.size)
        // Rounding leaves a little less than all.
        guard parts.x.contains(where: { $0 < 0.999 }) || parts.y.contains(where: { $0 < 0.999 }) else { return scaled }
        // Maps without one are dropped when the image gets a canvas.
        guard let neutral = numbers.neutral else { return scaled }
        return try scaled.mixed(with: neutral) { x, y in 1 - parts.x[x] * parts.y[y] }
    }

    /// Returns the part of each column and row of a window that lies in the content, from 0 to 1.
    private static func coverage(
        _ window: GainMapPlan.Area, of content: GainMapPlan.Area, _ size: PixelSize
    ) -> (x: [Double], y: [Double]) {
        func parts(of count: Int, start: Double, length: Double, in content: ClosedRange<Double>) -> [Double] {
            let step = length / Double(count)
            return (0..<count).map { index in
                let low = start + Double(index) * step
                return min(max((min(low + step, content.upperBound) - max(low, content.lowerBound)) / step, 0), 1)
            }
        }
        return (
            parts(
                of: size.width, start: window.x, length: window.width, in: content.x...(content.x + content.width)),
            parts(
                of: size.height, start: window.y, length: window.height, in: content.y...(content.y + content.height))
        )
    }
}

extension Bitmap {
    /// Returns the opaque pixels mixed with a color.
    ///
    /// - Parameters:
    ///   - color: Blue, green and red, from 0 to 255.
    ///   - share: The share of the color in a pixel, from 0 to 1.
    func mixed(
        with color: SIMD3<Double>, _ share: (_ x: Int, _ y: Int) -> Double
    ) throws(CodecError) -> Bitmap {
        let color = SIMD4(color, 255)
        return try redrawn { input, inputStride, output, outputStride in
            for y in 0..<height {
                let from = UnsafeRawPointer(input + y * inputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                let to = UnsafeMutableRawPointer(output + y * outputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                for x in 0..<width {
                    let part = share(x, y)
                    let mixed = SIMD4<Double>(from[x]) * (1 - part) + color * part
                    to[x] = SIMD4<UInt8>(mixed.rounded(.toNearestOrEven))
                }
            }
        }
    }
}
