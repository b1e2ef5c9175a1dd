/// One request on its way through the origin, for those who know when its answer is as good as sent.
struct Flight: Sendable {
    let id: UInt64
    let log: Watched<OriginLog>

    func land() {
        log.update { $0.land(id) }
    }
}
