import Foundation

/// The channels of XYB: red against green, light, blue against light.
enum SimilarityChannel: Int, CaseIterable {
    case x, y, b
}

/// What the differences of one channel at one size weigh in the score: of structure, of edges that were added (ringing), and of
/// edges that were lost (blur).
struct SimilarityWeights {
    let channel: SimilarityChannel
    /// For the mean of the differences over all pixels.
    var mean = Differences()
    /// For the fourth root of the mean of their fourth powers, in which the worst places count.
    var worst = Differences()

    struct Differences {
        var structure = 0.0
        var added = 0.0
        var lost = 0.0

        func weighed(_ weights: Self, _ norm: (Double) -> Double) -> Double {
            weights.structure * norm(structure) + weights.added * norm(added) + weights.lost * norm(lost)
        }
    }

    /// From the full size to a sixteenth of the width.
    static let sizes: [[SimilarityWeights]] = [
        [.init(channel: .y, worst: .init(structure: 7.466890328078848, lost: 17.445833984131262))],
        [
            .init(channel: .x, worst: .init(structure: 1.1041726426657346)),
            .init(channel: .y, worst: .init(structure: 6.683678146179332, lost: 1.027889937768264)),
        ],
        [
            .init(channel: .x, worst: .init(structure: 1.8422455520539298, added: 11.441172603757666)),
            .init(
                channel: .y, mean: .init(structure: 225.20515300849274), worst: .init(structure: 19.213238186143016)),
        ],
        [
            .init(channel: .x, worst: .init(structure: 1.8787594979546387, added: 10.94906990605142)),
            .init(
                channel: .y, mean: .init(structure: 176.39317598450694),
                worst: .init(structure: 24.43300999870476, added: 0.28520802612117757)),
            .init(channel: .b, worst: .init(structure: 8.826982764996862, added: 23.19243343998926)),
        ],
        [
            .init(channel: .x, mean: .init(added: 0.9677937080626833), worst: .init(added: 0.9981766977854967)),
            .init(channel: .y, worst: .init(structure: 34.77906344483772, added: 44.835625328877896)),
            .init(
                channel: .b,
                mean: .init(structure: 95.1080498811086, added: 0.9863978034400682, lost: 0.9834382792465353),
                worst: .init(added: 171.2667255897307, lost: 0.9807858872435379)),
        ],
    ]

    /// The score of a weighted sum of differences: 100 for none, as people judged the rest.
    static func score(ofSum sum: Double) -> Double {
        let scaled = sum * 0.9562382616834844
        let bent =
            2.326765642916932 * scaled - 0.020884521182843837 * scaled * scaled
            + 6.248496625763138e-05 * scaled * scaled * scaled
        return bent > 0 ? 100 - 10 * pow(bent, 0.6276336467831387) : 100
    }
}
