import Foundation

/// The processors, machines and prices of a fleet, computed from the shares of ``FleetPlan`` and measured times.
enum FleetCosts {
    /// The processor time of answers, in milliseconds: `serve-hit` (72 thousand hits a second on two processors); results of
    /// 35 KB from disk; making a size of a JPEG of 1600 × 1200, with its download.
    private static let hit = 0.028, diskHit = 0.27, making = 10.6
    /// The same for an original of 12 megapixels.
    private static let makingLarge = 35.0
    /// List prices of large clouds, in dollars: an hour of a processor; a month of a gigabyte; requests.
    private static let coreHour = 0.04, gigabyteMonth = 0.023, put = 5e-6, get = 0.4e-6
    private static let monthHours = 730.0
    /// A machine: processors, of which half are for load; bits a second, of which half are; bytes for results.
    private static let cores = 8.0, network = 10e9, disk = 5e12

    static func printAll() {
        printPrices()
        printFleets()
    }

    private static func printPrices() {
        Table.title("Prices of one result in millionths of a dollar", "computed from list prices")
        let ofMillisecond = coreHour / 3_600_000 * 1e6
        Table.row(["", "dollars/10^6", "PUT costs", "GET costs"])
        for (name, time) in [("1600 x 1200", making), ("12 megapixels", makingLarge)] {
            let price = time * ofMillisecond
            Table.row(
                [name, Table.text(price)] + [put, get].map { "\(Table.text($0 * 1e6 / price, places: 1)) makings" })
        }
    }

    private static func printFleets() {
        Table.title(
            "Fleets",
            "computed; half of each machine's processors and network stay free. A tier from 10^5 requests/s. Dollars a month: "
                + "processors of the nodes; if each miss looked into a far store; storage of originals")
        Table.row([
            "images", "requests/s", "exponent", "at nodes/s", "made/s", "Gbit/s out", "Gbit/s nodes", "cores busy",
            "machines", "$ cores", "$ far reads", "$ originals",
        ])
        for plan in FleetPlan.all {
            for rate in [1e3, 1e4, 1e5, 1e6] {
                for exponent in Simulation.exponents { Table.row(row(plan, rate, exponent)) }
            }
        }
    }

    private static func row(_ plan: FleetPlan, _ rate: Double, _ exponent: Double) -> [String] {
        let shares = plan.shares(images: plan.images, exponent: exponent, hasTier: rate >= 1e5)
        let atNodes = rate * (1 - shares.tier), made = rate * shares.made
        let busy = (rate * shares.memory * hit + rate * shares.disk * diskHit + made * making) / 1000
        let bits = atNodes * ByteSizes.result * 8
        let machines = max(
            busy * 2 / cores, bits * 2 / network, plan.disk * Double(plan.nodes) / disk
        ).rounded(.up)
        let dollars = [
            busy * 2 * coreHour * monthHours, made * get * monthHours * 3600,
            plan.images * ByteSizes.original / 1e9 * gigabyteMonth,
        ]
        return [Table.power(plan.images), Table.power(rate), Table.text(exponent, places: 1)]
            + [atNodes, made, rate * ByteSizes.result * 8 / 1e9, bits / 1e9, busy].map(Table.rounded)
            + [Table.text(machines, places: 0)] + dollars.map(Table.rounded)
    }
}
