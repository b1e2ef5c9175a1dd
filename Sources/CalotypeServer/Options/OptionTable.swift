import CalotypeBase

/// The options that URLs may contain: their names, and how they are read and written.
enum OptionTable {
    /// All rows, in the order of the canonical text.
    static let rows: [OptionRow] = size + area + orientation + pixels + file + source + limits + delivery

    private static let byName: [ByteString: OptionRow] = {
        var table: [ByteString: OptionRow] = [:]
        for row in rows { for name in row.names { table[name] = row } }
        return table
    }()

    static func row(named name: ByteString) -> OptionRow? { byName[name] }

    /// Returns the options that change the file, in the table's order, each under its shortest name and only if it
    /// differs from its default.
    static func canonicalText(of options: RenditionOptions) -> ByteString {
        rows.compactMap { row in row.write(options).map { "\(row.shortName):\($0)" } }.joined(separator: "/")
    }
}

/// One option, or a short form of several, such as `resize`.
struct OptionRow: Sendable {
    typealias Read = @Sendable (inout RenditionOptions, OptionArguments) throws(RenditionError) -> Void

    /// The names of the option, the long name first.
    let names: [ByteString]
    /// Reads the arguments into the options.
    let read: Read
    /// Returns the arguments that yield the value again; `nil` if the value is the default, or if the option does not
    /// appear in canonical texts.
    let write: @Sendable (RenditionOptions) -> ByteString?

    init(
        _ names: ByteString..., write: @escaping @Sendable (RenditionOptions) -> ByteString? = { _ in nil },
        read: @escaping Read
    ) {
        (self.names, self.read, self.write) = (names, read, write)
    }

    var longName: ByteString { names.first ?? "" }
    var shortName: ByteString { names.min { $0.count < $1.count } ?? "" }
}

extension OptionRow {
    typealias Path<Value> = any (WritableKeyPath<RenditionOptions, Value> & Sendable)

    /// Returns the row of an option that is a whole number.
    static func integer(_ path: Path<Int>, _ range: ClosedRange<Int>, _ names: ByteString...) -> OptionRow {
        let unset = RenditionOptions()[keyPath: path]
        return OptionRow(names: names) {
            $0[keyPath: path] == unset ? nil : "\($0[keyPath: path])"
        } read: {
            (options, arguments) throws(RenditionError) in
            try arguments.atMost(1)
            options[keyPath: path] = try arguments.integer(0, in: range)
        }
    }

    /// Returns the row of an option that is a number from 0 to `limit`.
    static func number(_ path: Path<Double>, to limit: Double, _ names: ByteString...) -> OptionRow {
        let unset = RenditionOptions()[keyPath: path]
        return OptionRow(names: names) {
            $0[keyPath: path] == unset ? nil : $0[keyPath: path].short
        } read: {
            (options, arguments) throws(RenditionError) in
            try arguments.atMost(1)
            options[keyPath: path] = try arguments.number(0, in: 0...limit)
        }
    }

    static func flag(_ path: Path<Bool>, _ names: ByteString...) -> OptionRow {
        let unset = RenditionOptions()[keyPath: path]
        return OptionRow(names: names) {
            $0[keyPath: path] == unset ? nil : unset ? "0" : "1"
        } read: {
            (options, arguments) throws(RenditionError) in
            try arguments.atMost(1)
            options[keyPath: path] = try arguments.flag(0)
        }
    }

    /// Returns the row of an option with one supported value: the server refuses URLs with another value.
    static func fixed(_ value: Bool, _ names: ByteString...) -> OptionRow {
        OptionRow(names: names, write: { _ in nil }) { (_, arguments) throws(RenditionError) in
            try arguments.atMost(1)
            guard try arguments.flag(0) == value else {
                throw arguments.error("only \(value ? 1 : 0) is supported")
            }
        }
    }

    private init(
        names: [ByteString], write: @escaping @Sendable (RenditionOptions) -> ByteString?, read: @escaping Read
    ) {
        (self.names, self.read, self.write) = (names, read, write)
    }
}
