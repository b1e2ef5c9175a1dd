/// Rows under a heading, each column as wide as its widest cell.
package struct Table {
    private var rows: [[OutputLine]]
    private let rightAligned: Set<Int>

    /// - Parameter rightAligned: The columns of numbers, counted from 0.
    package init(_ heading: [String], rightAligned: Set<Int> = []) {
        rows = [heading.map { OutputLine($0) }]
        self.rightAligned = rightAligned
    }

    package mutating func add(_ row: [OutputLine]) { rows.append(row) }

    package mutating func add(_ row: [String]) { add(row.map { OutputLine($0) }) }

    package var lines: [OutputLine] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
        let rule = widths.map { OutputLine(String(repeating: "─", count: $0)) }
        return ([rows[0], rule] + rows.dropFirst()).map { row in line(of: row, widths) }
    }

    /// The space before a cell is added with the cell, so that no line ends with space.
    private func line(of row: [OutputLine], _ widths: [Int]) -> OutputLine {
        var line: OutputLine = ""
        var space = 0
        for (column, cell) in row.enumerated() {
            let padding = widths[column] - cell.width
            let isRight = rightAligned.contains(column)
            if cell.width > 0 {
                line = line + OutputLine(String(repeating: " ", count: space + (isRight ? padding : 0))) + cell
                space = 0
            } else if isRight {
                space += padding
            }
            space += (isRight ? 0 : padding) + 2
        }
        return line
    }
}
