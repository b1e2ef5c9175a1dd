#if SVG
    /// An upper bound on the length, area and crossings of a path, computed from its points: a curve is never longer
    /// than the lines between its points and never leaves their hull.
    struct SVGOutline {
        private(set) var segments = 0
        private(set) var length = 0.0
        private(set) var area = 0.0
        /// The number of pairs of lines that may cross.
        private(set) var crossings = 0.0

        /// - Parameter data: The commands of a path, or the numbers of a polygon.
        init(_ data: String, isPolygon: Bool = false) {
            var points = PathPoints(data, isPolygon: isPolygon).points
            guard let first = points.first else { return }
            // Close the path, as filling does.
            points.append(first)
            segments = points.count - 1
            var (low, high) = (first, first)
            for (from, to) in zip(points, points.dropFirst()) {
                length += abs(to.x - from.x) + abs(to.y - from.y)
                low = (min(low.x, to.x), min(low.y, to.y))
                high = (max(high.x, to.x), max(high.y, to.y))
            }
            area = (high.x - low.x) * (high.y - low.y)
            countCrossings(points, low, (high.x - low.x, high.y - low.y))
        }

        /// Counts possible crossings. Two lines can cross only in a cell of a grid that both pass through. There, a
        /// line crosses each other run (lines that keep their direction) at most once, and its own run never.
        private mutating func countCrossings(
            _ points: [(x: Double, y: Double)], _ origin: (x: Double, y: Double), _ size: (x: Double, y: Double)
        ) {
            guard segments > 40 else {
                crossings = Double(segments * segments) / 4
                return
            }
            let side = min(256, segments)
            var (lines, runs) = ([Int32](repeating: 0, count: side * side), [Int32](repeating: 0, count: side * side))
            func cell(_ value: Double, _ origin: Double, _ size: Double) -> Int {
                let place = size > 0 ? (value - origin) / size * Double(side) : 0
                return place.isFinite ? Int(min(max(place, 0), Double(side - 1))) : 0
            }
            var last = -1
            var run = Run()
            for (from, to) in zip(points, points.dropFirst()) {
                let keepsDirection = run.add(to.x - from.x, to.y - from.y)
                let columns = abs(cell(to.x, origin.x, size.x) - cell(from.x, origin.x, size.x))
                let rows = abs(cell(to.y, origin.y, size.y) - cell(from.y, origin.y, size.y))
                // Take steps no larger than a cell.
                let steps = max(columns, rows)
                for step in 0...steps {
                    let share = steps == 0 ? 0 : Double(step) / Double(steps)
                    let x = cell(from.x + share * (to.x - from.x), origin.x, size.x)
                    let y = cell(from.y + share * (to.y - from.y), origin.y, size.y)
                    let index = y * side + x
                    lines[index] += 1
                    if index != last || step == 0 && !keepsDirection { runs[index] += 1 }
                    last = index
                }
            }
            for (lines, runs) in zip(lines, runs) where runs > 1 { crossings += Double(lines) * Double(runs - 1) }
        }

        /// Consecutive lines that all keep the same horizontal or vertical direction.
        private struct Run {
            private var (across, down) = (0.0, 0.0)
            private var (keepsAcross, keepsDown) = (true, true)

            /// Adds a line. Returns `false` if it starts a new run.
            mutating func add(_ x: Double, _ y: Double) -> Bool {
                keepsAcross = keepsAcross && x * across >= 0
                keepsDown = keepsDown && y * down >= 0
                if x != 0 { across = x }
                if y != 0 { down = y }
                if keepsAcross || keepsDown { return true }
                (across, down, keepsAcross, keepsDown) = (x, y, true, true)
                return false
            }
        }
    }

    /// The points of a path, including control points.
    private struct PathPoints {
        private(set) var points: [(x: Double, y: Double)] = []

        init(_ data: String, isPolygon: Bool) {
            var text = Array(data.utf8)[...]
            var command: UInt8 = isPolygon ? UInt8(ascii: "L") : 0
            var (current, start) = ((x: 0.0, y: 0.0), (x: 0.0, y: 0.0))
            while true {
                text = text.drop { $0 == 0x20 || $0 == 0x2C || (0x09...0x0D).contains($0) }
                guard let byte = text.first else { return }
                if (0x41...0x5A).contains(byte & 0xDF), byte & 0xDF != UInt8(ascii: "E") {
                    command = byte
                    text = text.dropFirst()
                    if command & 0xDF == UInt8(ascii: "Z") { (current, command) = (start, UInt8(ascii: "l")) }
                    continue
                }
                let isRelative = command & 0x20 != 0
                let count = Self.numbers[command & 0xDF] ?? 0
                guard count > 0 else { return }
                var values: [Double] = []
                while values.count < count,
                    let number = Self.number(&text, isFlag: count == 7 && (3...4).contains(values.count))
                {
                    values.append(number)
                }
                guard values.count == count else { return }
                let base = isRelative ? current : (x: 0, y: 0)
                switch command & 0xDF {
                case UInt8(ascii: "H"): current.x = base.x + values[0]
                case UInt8(ascii: "V"): current.y = base.y + values[0]
                case UInt8(ascii: "A"):
                    // The arc stays within two radii of its ends.
                    let end = (x: base.x + values[5], y: base.y + values[6])
                    let reach =
                        2 * max(abs(values[0]), abs(values[1])) + abs(end.x - current.x) + abs(end.y - current.y)
                    points.append((current.x - reach, current.y + reach))
                    points.append((current.x + reach, current.y - reach))
                    current = end
                default:
                    for index in stride(from: 0, to: count - 2, by: 2) {
                        points.append((base.x + values[index], base.y + values[index + 1]))
                    }
                    current = (base.x + values[count - 2], base.y + values[count - 1])
                }
                points.append(current)
                if command & 0xDF == UInt8(ascii: "M") {
                    start = current
                    command = isRelative ? UInt8(ascii: "l") : UInt8(ascii: "L")
                }
            }
        }

        private static let numbers: [UInt8: Int] = [
            UInt8(ascii: "M"): 2, UInt8(ascii: "L"): 2, UInt8(ascii: "H"): 1, UInt8(ascii: "V"): 1,
            UInt8(ascii: "C"): 6,
            UInt8(ascii: "S"): 4, UInt8(ascii: "Q"): 4, UInt8(ascii: "T"): 2, UInt8(ascii: "A"): 7,
        ]

        /// Reads the next number. A sign or a second decimal point also separates numbers.
        private static func number(_ text: inout ArraySlice<UInt8>, isFlag: Bool) -> Double? {
            text = text.drop { $0 == 0x20 || $0 == 0x2C || (0x09...0x0D).contains($0) }
            if isFlag, let flag = text.first, flag == 0x30 || flag == 0x31 {
                text = text.dropFirst()
                return Double(flag - 0x30)
            }
            var (end, hasPoint, hasExponent) = (text.startIndex, false, false)
            while end < text.endIndex {
                let byte = text[end]
                let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                if isSign {
                    guard end == text.startIndex || text[end - 1] | 0x20 == UInt8(ascii: "e") else { break }
                } else if byte == UInt8(ascii: ".") {
                    guard !hasPoint, !hasExponent else { break }
                    hasPoint = true
                } else if byte | 0x20 == UInt8(ascii: "e") {
                    guard !hasExponent, end > text.startIndex else { break }
                    hasExponent = true
                } else if !(0x30...0x39).contains(byte) {
                    break
                }
                end += 1
            }
            guard let value = Double(String(decoding: text[..<end], as: UTF8.self)), value.isFinite else { return nil }
            text = text[end...]
            return min(max(value, -1e9), 1e9)
        }
    }
#endif
