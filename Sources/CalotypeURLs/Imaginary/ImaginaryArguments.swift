import CalotypeBase
import Foundation

/// A value of a parameter: text from a query, or a value of JSON from a pipeline.
enum ImaginaryValue: Hashable, Sendable {
    case text(ByteString)
    case number(Double)
    case flag(Bool)
    /// `null`, a list or an object, which no parameter takes.
    case other
}

/// Reads the parameters of an operation as imaginary does. Errors name the operation and the parameter.
///
/// A parameter counts as missing if it is empty. Unknown parameters have no effect.
struct ImaginaryArguments {
    /// The operation, for messages: "fit", or "operation 2 (fit)".
    let place: String
    private let values: [ByteString: ImaginaryValue]

    init(_ operation: ByteString, number: Int? = nil, _ values: [ByteString: ImaginaryValue]) {
        place = number.map { "operation \($0) (\(operation))" } ?? operation.string
        self.values = values
    }

    /// Whether the parameters are there that the operation needs. 0 counts as missing.
    func have(_ needs: ImaginaryOperation.Needs) -> Bool {
        switch needs {
        case .nothing: true
        case .one(let name): isSet(name)
        case .any(let first, let second): isSet(first) || isSet(second)
        case .all(let first, let second): isSet(first) && isSet(second)
        }
    }

    private func isSet(_ name: ByteString) -> Bool {
        let isFraction = name == "sigma" || name == "minampl"
        return switch values[name] {
        case nil: false
        case .text(let text) where text.isEmpty: false
        // Anything but a number is refused where it is read.
        case .text(let text): Double(text.string).map { isFraction ? $0 != 0 : !(abs($0) < 0.5) } ?? true
        case .number(let number): isFraction ? number != 0 : abs(number) >= 1
        case .flag, .other: true
        }
    }

    /// Reads a whole number, 0 if it is missing. As in imaginary, text may have a sign, which does not count, and is rounded,
    /// and numbers of JSON are cut off.
    func integer(_ name: ByteString, in range: ClosedRange<Int>) throws(RenditionError) -> Int {
        guard let number = try parsed(name) else { return 0 }
        let whole = number.isText ? (number.value + 0.5).rounded(.down) : number.value.rounded(.towardZero)
        guard (Double(range.lowerBound)...Double(range.upperBound)).contains(whole) else {
            throw error(name, "\(shown(name)) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(whole)
    }

    /// Reads a number, 0 if it is missing. The sign of a text does not count.
    func number(_ name: ByteString, in range: ClosedRange<Double>) throws(RenditionError) -> Double {
        guard let number = try parsed(name) else { return 0 }
        guard range.contains(number.value) else {
            throw error(name, "\(shown(name)) is not from \(range.lowerBound.short) to \(range.upperBound.short)")
        }
        // Adding zero turns -0.0 into 0.0.
        return number.value + 0
    }

    private func parsed(_ name: ByteString) throws(RenditionError) -> (value: Double, isText: Bool)? {
        switch values[name] {
        case nil: return nil
        case .number(let number): return (number, false)
        case .text(let text) where text.isEmpty: return nil
        case .text(let text):
            // `Double` also reads "nan", "inf" and hexadecimal digits.
            let isDecimal = text.withBytes { $0.allSatisfy { (0x30...0x39).contains($0) || "-+.eE".utf8.contains($0) } }
            if isDecimal, let number = Double(text.string), number.isFinite { return (abs(number), true) }
            throw error(name, "\(shown(name)) is not a number")
        case .flag, .other: throw error(name, "\(shown(name)) is not a number")
        }
    }

    /// Reads true or false, `nil` if the parameter is missing.
    func flag(_ name: ByteString) throws(RenditionError) -> Bool? {
        switch values[name] {
        case nil: return nil
        case .flag(let flag): return flag
        case .text("1"), .text("t"), .text("T"), .text("true"), .text("True"), .text("TRUE"): return true
        case .text(""), .text("0"), .text("f"), .text("F"), .text("false"), .text("False"), .text("FALSE"): return false
        case .text, .number, .other: throw error(name, "\(shown(name)) is neither true nor false")
        }
    }

    /// Reads text in lower case and without spaces around it; "" if the parameter is missing.
    func word(_ name: ByteString) throws(RenditionError) -> ByteString {
        switch values[name] {
        case nil: return ""
        case .text(let text): return text.trimmed.lowercasedASCII
        case .number, .flag, .other: throw error(name, "\(shown(name)) is not a text")
        }
    }

    /// Reads a color such as "255,200,150".
    func color(_ name: ByteString) throws(RenditionError) -> ImageColor? {
        let text = try word(name)
        guard !text.isEmpty else { return nil }
        let channels = text.split(separator: UInt8(ascii: ",")).map {
            $0.trimmed.asDigits.flatMap(UInt8.init(exactly:))
        }
        guard channels.count == 3, let red = channels[0], let green = channels[1], let blue = channels[2] else {
            throw error(name, "\(text.quoted) is not a color such as 255,200,150")
        }
        return ImageColor(red: red, green: green, blue: blue)
    }

    func error(_ name: ByteString, _ problem: String) -> RenditionError {
        RenditionError(400, "\(place): parameter \(name.quoted): \(problem)", option: name)
    }

    private func shown(_ name: ByteString) -> String {
        switch values[name] {
        case .text(let text): text.quoted
        case .number(let number): number.short.string
        case .flag(let flag): "\(flag)"
        case .other: "the value"
        case nil: "nothing"
        }
    }
}
