package import CalotypeBase

/// The options that URLs may contain: their names, and how they are read and written.
package enum OptionTable {
    /// All rows, in the order of the canonical text.
    static let rows: [OptionRow] = size + area + orientation + pixels + file + source + limits + delivery

    private static let byName = table(of: rows)
    private static let infoByName = table(of: info)

    private static func table(of rows: [OptionRow]) -> [ByteString: OptionRow] {
        var table: [ByteString: OptionRow] = [:]
        for row in rows { for name in row.names { table[name] = row } }
        return table
    }

    /// - Parameter isInfo: Whether the URL asks what an image is. The default is `false`.
    static func row(named name: ByteString, isInfo: Bool = false) -> OptionRow? {
        isInfo ? infoByName[name] : byName[name]
    }

    /// Returns the options that change the file, in the table's order, each under its shortest name and only if it
    /// differs from its default.
    package static func canonicalText(of options: RenditionOptions) -> ByteString {
        let rows = options.info == nil ? rows : info
        return rows.compactMap { row in row.write(options).map { "\(row.shortName):\($0)" } }.joined(separator: "/")
    }
}

/// One option, or a short form of several, such as `resize`.
struct OptionRow: Sendable {
    typealias Read = @Sendable (inout RenditionOptions, OptionArguments) throws(RenditionError) -> Void

    /// The names of the option, the long name first.
    let names: [ByteString]
    /// The maximum number of arguments.
    let limit: Int
    /// The only value of a flag that all results follow; `nil` if they follow the URL.
    private(set) var constant: Bool?
    let read: Read
    /// Returns the arguments from which ``read`` restores the value, or `nil` if the value is the default or the option
    /// does not appear in canonical texts.
    let write: @Sendable (RenditionOptions) -> ByteString?

    init(
        _ names: ByteString..., takes limit: Int = .max,
        write: @escaping @Sendable (RenditionOptions) -> ByteString? = { _ in nil }, read: @escaping Read
    ) {
        self.init(names: names, takes: limit, write: write, read: read)
    }

    var longName: ByteString { names.first ?? "" }
    var shortName: ByteString { names.min { $0.count < $1.count } ?? "" }
}

extension OptionRow {
    typealias Path<Value> = any (WritableKeyPath<RenditionOptions, Value> & Sendable)

    /// Returns the row of an option that is a whole number.
    static func integer(_ path: Path<Int>, _ range: ClosedRange<Int>, _ names: ByteString...) -> OptionRow {
        value(path, names, text: { "\($0)" }) { arguments throws(RenditionError) in
            try arguments.integer(0, in: range)
        }
    }

    /// Returns the row of an option that is a number from 0 to `limit`.
    static func number(_ path: Path<Double>, to limit: Double, _ names: ByteString...) -> OptionRow {
        value(path, names, text: \.short) { arguments throws(RenditionError) in
            try arguments.number(0, in: 0...limit)
        }
    }

    static func flag(_ path: Path<Bool>, _ names: ByteString...) -> OptionRow {
        value(path, names, text: { $0 ? "1" : "0" }) { arguments throws(RenditionError) in try arguments.flag(0) }
    }

    /// Returns the row of an option with one argument.
    private static func value<Value: Equatable & Sendable>(
        _ path: Path<Value>, _ names: [ByteString], text: @escaping @Sendable (Value) -> ByteString,
        read: @escaping @Sendable (OptionArguments) throws(RenditionError) -> Value
    ) -> OptionRow {
        let unset = RenditionOptions()[keyPath: path]
        return OptionRow(names: names, takes: 1) {
            $0[keyPath: path] == unset ? nil : text($0[keyPath: path])
        } read: {
            (options, arguments) throws(RenditionError) in
            options[keyPath: path] = try read(arguments)
        }
    }

    /// Returns the row of an option that is two flags, each of which is off by default and may be omitted.
    static func flags(_ first: Path<Bool>, _ second: Path<Bool>, _ names: ByteString...) -> OptionRow {
        OptionRow(names: names, takes: 2) { options in
            let (first, second) = (options[keyPath: first], options[keyPath: second])
            return first || second ? "\(first ? 1 : 0):\(second ? 1 : 0)" : nil
        } read: {
            (options, arguments) throws(RenditionError) in
            if !arguments.isOmitted(0) { options[keyPath: first] = try arguments.flag(0) }
            if !arguments.isOmitted(1) { options[keyPath: second] = try arguments.flag(1) }
        }
    }

    /// Returns the row of a flag that changes no result: the server always does as with `value`.
    static func constant(_ value: Bool, _ names: ByteString...) -> OptionRow {
        OptionRow(names: names, takes: 1, write: { _ in nil }) { (_, arguments) throws(RenditionError) in
            _ = try arguments.flag(0)
        }.differing(from: value)
    }

    /// Returns the row of a flag that results do not follow in all of what it means, unless it has this value.
    func differing(from value: Bool) -> OptionRow {
        var row = self
        row.constant = value
        return row
    }

    init(
        names: [ByteString], takes limit: Int, write: @escaping @Sendable (RenditionOptions) -> ByteString?,
        read: @escaping Read
    ) {
        (self.names, self.limit, self.read, self.write) = (names, limit, read, write)
    }
}
