/// A step whose result has another size than the image, or that needs memory besides both.
///
/// Loaders reserve the memory of all steps before they decode. For a step without this conformance, the result is as large
/// as the image.
package protocol MeasuredStep: ImageStep {
    /// Returns the size of the result for an image of this size. An estimate suffices, except that for large results it
    /// must not be too low. The default is the size of the image.
    func resultSize(of size: PixelSize) -> PixelSize

    /// Returns the memory in bytes besides the image and the result. The default is 0.
    func workingBytes(for size: PixelSize) -> Int
}

extension MeasuredStep {
    package func resultSize(of size: PixelSize) -> PixelSize { size }
    package func workingBytes(for size: PixelSize) -> Int { 0 }
}

/// The memory of one step, computed from the size of the image.
package struct StepMemory {
    /// The size of the result.
    package let result: PixelSize
    /// The memory in bytes for the result and for the work, without the image.
    package let bytes: Int

    package init(_ step: any ImageStep, on size: PixelSize) {
        let measured = step as? any MeasuredStep
        result = measured?.resultSize(of: size) ?? size
        bytes = min(result.bitmapMemory + max(measured?.workingBytes(for: size) ?? 0, 0), 1 << 48)
    }
}

extension Sequence where Element == any ImageStep {
    /// Returns the size of the result, and the peak memory of all steps in bytes, including the image that a step is
    /// applied to and its result.
    package func memory(on size: PixelSize) -> (result: PixelSize, peak: Int) {
        var (image, peak) = (size, size.bitmapMemory)
        for step in self {
            let memory = StepMemory(step, on: image)
            peak = Swift.max(peak, image.bitmapMemory + memory.bytes)
            image = memory.result
        }
        return (image, peak)
    }
}

extension ImageSteps.Crop: MeasuredStep {
    package func resultSize(of size: PixelSize) -> PixelSize {
        let side = min(size.width, size.height)
        let crop = self.size ?? PixelSize(width: side, height: side)
        return PixelSize(width: min(crop.width, size.width), height: min(crop.height, size.height))
    }
}

extension ImageSteps.Rotate: MeasuredStep {
    package func resultSize(of size: PixelSize) -> PixelSize {
        quarterTurns.isMultiple(of: 2) ? size : PixelSize(width: size.height, height: size.width)
    }
}

extension ImageSteps.Blur: MeasuredStep {
    package func workingBytes(for size: PixelSize) -> Int {
        guard sigma > 0, size.width > 0, size.height > 0 else { return 0 }
        return ImageScaling(blurring: size, deviation: sigma).workingBytes
    }
}

extension ImageSteps.Sharpen: MeasuredStep {
    package func workingBytes(for size: PixelSize) -> Int {
        size.bitmapMemory + ImageSteps.Blur(sigma: sigma).workingBytes(for: size)
    }
}

extension ImageSteps.Overlay: MeasuredStep {
    package func workingBytes(for size: PixelSize) -> Int { size.bitmapMemory }
}
