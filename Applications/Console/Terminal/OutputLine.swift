package import CalotypeBase

/// Text for standard output. Control characters in its values are escaped. A name of a file or URL in it is escaped on a
/// terminal only: in a pipe, other programs get the bytes of the name. A URL's user and password are never printed.
///
/// ```swift
/// console.line("\(name: path.bytes)  \(size)")
/// ```
package struct OutputLine: Hashable, Sendable {
    /// The longest path that is printed whole, in bytes.
    private static let nameLimit = 4096

    /// The text as a terminal shows it.
    package private(set) var shown = ""
    /// The text as other programs get it.
    package private(set) var bytes = ByteString()

    /// Creates a line of a text, in which control characters are escaped.
    package init(_ text: String) { append(Console.printable(text)) }

    package init(name: ByteString) {
        shown = Console.printable(Address.label(of: name))
        let isLong = name.count > OutputLine.nameLimit || Address.isData(name)
        bytes = isLong ? ByteString(shown) : Address.shown(name)
    }

    /// The number of columns on a terminal.
    package var width: Int { shown.count }

    package static func + (left: OutputLine, right: OutputLine) -> OutputLine {
        var line = left
        line.append(right)
        return line
    }

    fileprivate init() {}

    fileprivate mutating func append(_ text: String) {
        shown += text
        bytes.append(ByteString(text))
    }

    fileprivate mutating func append(_ other: OutputLine) {
        shown += other.shown
        bytes.append(other.bytes)
    }
}

extension OutputLine: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { append(text) }

    package init(stringInterpolation: Interpolation) { self = stringInterpolation.line }

    /// An interpolation that escapes values, and leaves the literal text as it is.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var line = OutputLine()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { line.append(text) }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            line.append(Console.printable(value.description))
        }
        package mutating func appendInterpolation(_ other: OutputLine) { line.append(other) }
        package mutating func appendInterpolation(name: ByteString) { line.append(OutputLine(name: name)) }
    }
}
