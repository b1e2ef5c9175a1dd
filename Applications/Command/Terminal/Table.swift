/// Rows under a heading, each column as wide as its widest cell.
struct Table {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    /// - Parameter rightAligned: The columns of numbers, counted from 0.
    init(_ heading: [String], rightAligned: Set<Int> = []) {
        rows = [heading]
        self.rightAligned = rightAligned
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { row in
            let cells = zip(row.indices, row).map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return rightAligned.contains(column) ? space + cell : cell + space
            }
            let line = cells.joined(separator: "  ")
            return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }
    }
}
