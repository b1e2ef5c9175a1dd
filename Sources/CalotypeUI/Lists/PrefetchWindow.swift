/// The rows of a list whose images should load before they appear: the next rows in the direction of scrolling.
///
/// Rows are numbered from 0; the list reports in any order which rows appear and disappear.
struct PrefetchWindow: Sendable {
    /// The number of rows to load beyond the visible rows.
    let ahead: Int
    private var visible: Set<Int> = []
    private var isForward = true

    init(ahead: Int) {
        self.ahead = max(ahead, 0)
    }

    mutating func appear(_ row: Int) {
        if let first = visible.min(), let last = visible.max() {
            if row > last { isForward = true }
            if row < first { isForward = false }
        }
        visible.insert(row)
    }

    mutating func disappear(_ row: Int) { visible.remove(row) }

    var isEmpty: Bool { visible.isEmpty }

    func isVisible(_ row: Int) -> Bool { visible.contains(row) }

    /// Returns the rows to load, in the order of loading. While no row is visible, there are no rows to load.
    func rows(of count: Int) -> [Int] {
        guard let first = visible.min(), let last = visible.max() else { return [] }
        let next = isForward ? last + 1..<max(min(last + 1 + ahead, count), last + 1) : max(first - ahead, 0)..<first
        return isForward ? Array(next) : next.reversed()
    }
}
