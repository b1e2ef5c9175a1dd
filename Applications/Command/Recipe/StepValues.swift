import CalotypeBase
import CalotypeCodecs
import Foundation

/// The values after a step's name, from left to right. Each function returns `nil` for an invalid value, and its
/// default for a missing value.
struct StepValues {
    private var values: ArraySlice<ByteString>
    private let arguments: Arguments

    init(_ text: ByteString, _ arguments: Arguments) {
        values = text.isEmpty ? [] : text.split(separator: UInt8(ascii: ","))[...]
        self.arguments = arguments
    }

    var isEmpty: Bool { values.isEmpty }

    mutating func number(in range: ClosedRange<Double>, or standard: Double? = nil) -> Double? {
        next(or: standard) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    mutating func whole(_ range: ClosedRange<Int>, or standard: Int? = nil) -> Int? {
        next(or: standard) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    mutating func size() -> (width: Int?, height: Int?)? { next(or: nil, QuantityParser.size) }

    mutating func wholeSize() -> PixelSize? { next(or: nil, QuantityParser.wholeSize) }

    mutating func color(or standard: ImageColor? = nil) -> ImageColor? { next(or: standard) { ImageColor($0) } }

    mutating func gravity(or standard: Gravity) -> Gravity? {
        next(or: standard) { text in Gravity.names.first { $0.word == text.lowercased() }?.value }
    }

    mutating func mode(or standard: ResizeTarget.Mode) -> ResizeTarget.Mode? {
        next(or: standard) { text in [.fit, .fill, .exact].first { $0.rawValue == text.lowercased() } }
    }

    mutating func direction() -> ImageSteps.Flip? {
        next(or: nil) { text in ["horizontal": .horizontal, "vertical": .vertical][text.lowercased()] }
    }

    mutating func image() throws(UsageError) -> Bitmap? {
        guard let path = values.popFirst().map(LocalPath.init), !path.isEmpty else { return nil }
        guard let data = try? InputFile.read(path, limit: .max) else {
            throw arguments.error("--step overlay: \(path) cannot be read")
        }
        do throws(CodecError) {
            return try DecoderRegistry.standard.plan(for: data).decode()
        } catch {
            throw arguments.error("--step overlay: \(path): \(error)")
        }
    }

    private mutating func next<Value>(or standard: Value?, _ parse: (String) -> Value?) -> Value? {
        guard let text = values.popFirst() else { return standard }
        return parse(text.displayed)
    }
}

extension Gravity {
    static let names: [(word: String, value: Gravity)] = [
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
        ("top-left", .topLeft), ("top-right", .topRight), ("bottom-left", .bottomLeft), ("bottom-right", .bottomRight),
        ("attention", .attention),
    ]
}
