import Foundation

/// The quantized blocks of an image as tokens.
struct JPEGBlocks: ~Copyable {
    let layout: JPEGLayout
    private var tokens: UnsafeMutablePointer<UInt16>
    private var capacity = 1
    private var count = 0
    /// Where each component's rows of blocks start.
    private var starts: [[Int]] = [[], [], []]

    init(_ layout: JPEGLayout) throws(CodecError) {
        guard let tokens = malloc(2) else { throw Self.noMemory }
        (self.layout, self.tokens) = (layout, tokens.assumingMemoryBound(to: UInt16.self))
    }

    deinit { free(tokens) }

    /// Transforms and quantizes the next row of MCUs.
    mutating func append(_ planes: borrowing JPEGPlanes, _ quantizer: borrowing JPEGQuantizer) throws(CodecError) {
        for (index, component) in layout.components.enumerated() {
            for row in 0..<component.factor where starts[index].count < component.rows {
                starts[index].append(count)
                try reserve(component.columns * 64)
                let samples = planes.planes[index] + row * 8 * component.stride
                let end = quantizer.write(samples, component, to: tokens + count)
                count = end - tokens
            }
        }
    }

    private mutating func reserve(_ more: Int) throws(CodecError) {
        guard count + more > capacity else { return }
        let wanted = max(count + more, capacity + capacity / 2)
        guard let larger = realloc(tokens, 2 * wanted) else { throw Self.noMemory }
        (tokens, capacity) = (larger.assumingMemoryBound(to: UInt16.self), wanted)
    }

    private static var noMemory: CodecError { CodecError(.tooLarge, "no memory for a JPEG") }

    /// Returns the tokens of a component's row of blocks, or `nil` below the last one.
    func row(_ row: Int, of component: Int) -> UnsafePointer<UInt16>? {
        row < starts[component].count ? UnsafePointer(tokens + starts[component][row]) : nil
    }
}
