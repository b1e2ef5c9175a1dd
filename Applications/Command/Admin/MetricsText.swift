import CalotypeServer

/// Writes metrics in the text format of Prometheus (version 0.0.4).
struct MetricsText {
    struct Sample {
        var labels: [(name: String, value: String)] = []
        let value: Double

        init(_ value: some BinaryInteger, _ labels: (name: String, value: String)...) {
            (self.value, self.labels) = (Double(value), labels)
        }

        init(_ value: Double, _ labels: (name: String, value: String)...) {
            (self.value, self.labels) = (value, labels)
        }
    }

    /// The beginning of all names.
    let prefix: String
    private(set) var text = ""

    init(prefix: String) { self.prefix = prefix }

    /// - Parameter name: A name that ends with "_total".
    mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
        begin(name, "counter", help: help)
        for sample in samples { add(name, sample) }
    }

    mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
        begin(name, "gauge", help: help)
        for sample in samples { add(name, sample) }
    }

    /// - Parameter name: A name that ends with "_seconds".
    mutating func histogram(_ name: String, _ help: String, _ values: Histogram.Values) {
        begin(name, "histogram", help: help)
        for bucket in values.buckets {
            add("\(name)_bucket", Sample(bucket.count, ("le", Self.number(bucket.bound))))
        }
        add("\(name)_bucket", Sample(values.count, ("le", "+Inf")))
        add("\(name)_sum", Sample(values.sum))
        add("\(name)_count", Sample(values.count))
    }

    private mutating func begin(_ name: String, _ type: String, help: String) {
        text += "# HELP \(prefix)\(name) \(Self.escaped(help, quotes: false))\n# TYPE \(prefix)\(name) \(type)\n"
    }

    private mutating func add(_ name: String, _ sample: Sample) {
        let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
        let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        text += "\(prefix)\(name)\(list) \(Self.number(sample.value))\n"
    }

    /// Returns the number, without a fraction if it is whole.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? text.replacing("\"", with: "\\\"") : text
    }
}
