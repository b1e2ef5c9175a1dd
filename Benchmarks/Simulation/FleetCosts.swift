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
    /// A month of a gigabyte of a node's disk; a gigabyte to clients, by a large contract and by a small one.
    private static let diskMonth = 0.08, traffic = (low: 0.01, high: 0.05)
    private static let monthHours = 730.0
    /// A machine: processors, of which half are for load; bits a second, of which half are; bytes for results.
    private static let cores = 8.0, network = 10e9, disk = 5e12

    static func printAll() {
        printPrices()
        printFleets()
        printBills()
        printColdStarts()
    }

    private static func printBills() {
        Table.title(
            "Bills",
            "computed, dollars a month: processors; GETs of originals, if each making fetches one; disks for results and originals; "
                + "storage of originals; traffic to clients. Gbit/s of originals to the nodes")
        Table.row([
            "images", "requests/s", "exponent", "$ cores", "$ GETs", "$ disks", "$ originals", "$ traffic", "to",
            "Gbit/s in",
        ])
        for plan in FleetPlan.all {
            for rate in rates {
                for exponent in Simulation.exponents {
                    let load = load(plan, rate, exponent)
                    let gigabytes = rate * ByteSizes.result * monthHours * 3600 / 1e9
                    let figures = [
                        load.busy * 2 * coreHour * monthHours, load.made * get * monthHours * 3600,
                        2 * plan.disk * Double(plan.nodes) / 1e9 * diskMonth,
                        plan.images * ByteSizes.original / 1e9 * gigabyteMonth,
                        gigabytes * traffic.low, gigabytes * traffic.high, load.made * ByteSizes.original * 8 / 1e9,
                    ]
                    Table.row(
                        [Table.power(plan.images), Table.power(rate), Table.text(exponent, places: 1)]
                            + figures.map(Table.rounded))
                }
            }
        }
    }

    private static func printColdStarts() {
        let spans = [("first minute", 60.0), ("10 minutes", 600), ("hour", 3600), ("day", 86_400)]
        Table.title(
            "Cold starts",
            "computed: busy processors for making, on average over the time since nodes and tier were empty")
        Table.row(["images", "requests/s", "exponent"] + spans.map(\.0))
        for plan in FleetPlan.all {
            for rate in rates {
                for exponent in Simulation.exponents {
                    let cache = CheApproximation(images: plan.images, exponent: exponent)
                    let busy = spans.map { rate * cache.newShare(requests: rate * $0.1) * making / 1000 }
                    Table.row(
                        [Table.power(plan.images), Table.power(rate), Table.text(exponent, places: 1)]
                            + busy.map(Table.rounded))
                }
            }
        }
    }

    private static let rates = [1e3, 1e4, 1e5, 1e6]

    /// Returns the requests at the nodes and the results made, both a second, and the busy processors.
    private static func load(
        _ plan: FleetPlan, _ rate: Double, _ exponent: Double
    ) -> (atNodes: Double, made: Double, busy: Double) {
        let shares = plan.shares(images: plan.images, exponent: exponent, hasTier: rate >= 1e5)
        let made = rate * shares.made
        let busy = (rate * shares.memory * hit + rate * shares.disk * diskHit + made * making) / 1000
        return (rate * (1 - shares.tier), made, busy)
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
            for rate in rates {
                for exponent in Simulation.exponents { Table.row(row(plan, rate, exponent)) }
            }
        }
    }

    private static func row(_ plan: FleetPlan, _ rate: Double, _ exponent: Double) -> [String] {
        let (atNodes, made, busy) = load(plan, rate, exponent)
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
