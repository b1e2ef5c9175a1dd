extension Duration {
    /// The duration for people: "250 ms", "3 s" or "15.8 s".
    package var text: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        if abs(milliseconds) < 1000 { return "\(Int(milliseconds)) ms" }
        let seconds = (milliseconds / 100).rounded() / 10
        let whole = seconds.rounded()
        return whole == seconds && abs(whole) < 1e15 ? "\(Int(whole)) s" : "\(seconds) s"
    }
}
