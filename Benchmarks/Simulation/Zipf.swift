import CalotypeTesting
import Foundation

/// Random numbers from 0: the n-th has a probability proportional to 1/n^exponent.
struct Zipf {
    private let sums: [Double]

    init(count: Int, exponent: Double) {
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += pow(Double(rank), -exponent)
            return sum
        }
    }

    func next(_ random: inout SplitMix) -> Int {
        let wanted = random.unit() * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
