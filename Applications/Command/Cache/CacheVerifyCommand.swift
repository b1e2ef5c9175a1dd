import CalotypeStore

struct CacheVerifyCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache verify", summary: "Verify the checksum of every image in the cache, and remove damaged ones.",
        options: [.cacheDirectory, .json], notes: ["The status is 1 if the cache was damaged."],
        examples: [("cache verify", "after a crash or a full disk")])

    let arguments: Arguments

    init(_ arguments: Arguments, _ context: Context) { self.arguments = arguments }

    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus {
        let found = try await store.verify()
        report(VerificationRecord(found))
        return found.isClean ? .success : .failure
    }
}

struct VerificationRecord: Record {
    let ok: Bool
    let checked: Int
    let damaged: Int
    let missing: Int
    let orphans: Int
    let totalsWereWrong: Bool
    let indexWasReplaced: Bool

    init(_ found: StoreVerification) {
        ok = found.isClean
        checked = found.checked
        damaged = found.damaged
        missing = found.missing
        orphans = found.orphans
        totalsWereWrong = found.totalsWereWrong
        indexWasReplaced = found.indexWasReplaced
    }

    var text: OutputLine { OutputLine(summary) }

    var summary: String {
        var findings: [String] = []
        if damaged > 0 { findings.append("\(damaged) damaged and removed") }
        if missing > 0 { findings.append("\(missing) missing and removed from the index") }
        if orphans > 0 { findings.append("\(Amounts.count(orphans, "leftover file")) removed") }
        if indexWasReplaced { findings.append("the index was damaged: all entries are lost") }
        if totalsWereWrong { findings.append("totals corrected") }
        return "\(Amounts.count(checked, "entry").replacing("entrys", with: "entries")) checked: "
            + (findings.isEmpty ? "all good" : findings.joined(separator: ", "))
    }
}
