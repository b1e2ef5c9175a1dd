package enum Suggestion {
    /// Returns the only candidate that begins with the word, or else the candidate that differs in the fewest letters.
    /// If even the nearest candidate differs too much, returns the first one that begins with the word, or `nil`. Words
    /// of fewer than three letters do not count as beginnings. The opposite of the word, which differs in "no-", is
    /// never returned.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let candidates = candidates.filter { !isOpposite(word, $0) }
        let begun = candidates.filter { word.count >= 3 && $0.hasPrefix(word) }
        if begun.count == 1 { return begun[0] }
        let ranked = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(word.count, best.candidate.count) / 3) ? best.candidate : begun.first
    }

    private static func isOpposite(_ word: String, _ candidate: String) -> Bool {
        guard word.hasPrefix("no-") != candidate.hasPrefix("no-") else { return false }
        let bare = [word, candidate].map { $0.hasPrefix("no-") ? String($0.dropFirst(3)) : $0 }
        return distance(bare[0], bare[1]) < distance(word, candidate)
    }

    /// Returns the minimum number of letters to insert, remove, replace or swap to turn one word into the other.
    package static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
