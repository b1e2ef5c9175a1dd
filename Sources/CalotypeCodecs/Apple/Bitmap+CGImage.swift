#if canImport(CoreGraphics)
    public import CoreGraphics

    extension Bitmap {
        /// Returns a Core Graphics image that shares the pixels without a copy and keeps them alive.
        ///
        /// - Throws: `unsupported` if Core Graphics rejects the size.
        public func cgImage() throws(CodecError) -> CGImage {
            // The decoders of these platforms draw in sRGB, so that another gamut is rare.
            guard gamut == .sRGB else { return try converted(to: .sRGB).cgImage() }
            guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = dataProvider(),
                let image = CGImage(
                    width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: stride,
                    space: space, bitmapInfo: CGBitmapInfo(rawValue: Self.layout(hasAlpha: hasAlpha)),
                    provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
            else { throw CodecError(.unsupported, "Core Graphics makes no image of \(size) pixels") }
            return image
        }

        /// Returns a data provider that retains the pixels instead of copying them.
        private func dataProvider() -> CGDataProvider? {
            let (owner, pixels) = shared
            guard let start = pixels.baseAddress else { return nil }
            let held = Unmanaged.passRetained(owner)
            let provider = CGDataProvider(
                dataInfo: held.toOpaque(), data: start, size: byteCount,
                releaseData: { owner, _, _ in
                    if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
                })
            if provider == nil { held.release() }
            return provider
        }

        /// Draws a Core Graphics image into a new bitmap, converted to sRGB.
        ///
        /// - Throws: `tooLarge` if memory is exhausted, `unsupported` if Core Graphics rejects the size.
        public init(cgImage image: CGImage) throws(CodecError) {
            try self.init(drawing: image, hasAlpha: image.hasAlpha)
        }

        init(drawing image: CGImage, hasAlpha: Bool) throws(CodecError) {
            let (width, height) = (image.width, image.height)
            try self.init(width: width, height: height, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
                let canvas = try CGContext.over(pixels, PixelSize(width: width, height: height), stride: stride)
                canvas.setBlendMode(.copy)
                canvas.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
            }
        }

        /// Returns the Core Graphics constants for a bitmap's pixels: 32 bits with blue in the lowest byte, and
        /// premultiplied alpha or an unused byte in the highest.
        fileprivate static func layout(hasAlpha: Bool) -> UInt32 {
            let alpha = hasAlpha ? CGImageAlphaInfo.premultipliedFirst : .noneSkipFirst
            return alpha.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
        }
    }

    extension CGImage {
        var hasAlpha: Bool {
            switch alphaInfo {
            case .none, .noneSkipFirst, .noneSkipLast: false
            default: true
            }
        }
    }

    extension CGContext {
        /// Returns a context that draws into a bitmap's pixels, and must not outlive them.
        static func over(
            _ pixels: UnsafeMutableRawBufferPointer, _ size: PixelSize, stride: Int
        ) throws(CodecError) -> CGContext {
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                let context = CGContext(
                    data: pixels.baseAddress, width: size.width, height: size.height, bitsPerComponent: 8,
                    bytesPerRow: stride, space: space, bitmapInfo: Bitmap.layout(hasAlpha: true))
            else { throw CodecError(.unsupported, "Core Graphics has no canvas of \(size) pixels") }
            return context
        }
    }
#endif
