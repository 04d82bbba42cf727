import Testing

@testable import AuthStreams

/// Which changes go on and which give way: the rules, as a table.
@Suite struct AccountChangesTests {
    private func change(_ id: UInt64, of userID: String = "ada") -> AccountChange {
        AccountChange(id: id, kind: .link, provider: .naver, of: userID, startedAt: .zero)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The steps that the changes 2, 4 and 6 have come to, in the order in which they came there.
        var steps: [(UInt64, AuthState.SignInStep)] = []
        /// Who is signed in then.
        var user: String? = "ada"
        /// The sign-in under way.
        var attempt: UInt64?
        var over: Set<UInt64> = []
        var displaced: Set<UInt64> = []
    }

    static let rows = [
        Row(testDescription: "before the first step nothing competes"),
        Row(testDescription: "one that asks is alone", steps: [(2, .presenting)]),
        Row(
            testDescription: "the newer asks instead of the older", steps: [(2, .presenting), (4, .presenting)],
            displaced: [2]),
        Row(
            testDescription: "whichever came first to asking", steps: [(4, .presenting), (2, .waitingForOtherApp)],
            displaced: [2]),
        Row(testDescription: "of three the newest", steps: [(2, .presenting), (6, .presenting)], displaced: [2]),
        Row(
            testDescription: "a request on its way is let be", steps: [(2, .establishingSession), (4, .presenting)]),
        Row(testDescription: "an exchange too", steps: [(2, .presenting), (2, .exchanging), (4, .presenting)]),
        Row(testDescription: "a newer sign-in asks instead", steps: [(2, .presenting)], attempt: 3, displaced: [2]),
        Row(testDescription: "an older sign-in does not", steps: [(2, .presenting)], attempt: 1),
        Row(testDescription: "a newer sign-in lets a request be", steps: [(2, .establishingSession)], attempt: 3),
        Row(testDescription: "without anybody all are over", steps: [(2, .presenting)], user: nil, over: [2, 4, 6]),
        Row(
            testDescription: "for somebody else, too", steps: [(2, .establishingSession)], user: "bob",
            over: [2, 4, 6]),
    ]

    @Test(arguments: rows) func giveWay(row: Row) {
        var changes = AccountChanges()
        let all = [2, 4, 6].map { change($0) }
        for change in all { changes.began(change) }
        for (id, step) in row.steps {
            guard let change = all.first(where: { $0.id == id }) else { continue }
            let isNews = changes.reached(step, by: change)
            #expect(isNews)
        }
        let unwanted = changes.takeUnwanted(of: row.user, besides: row.attempt)
        #expect(Set(unwanted.over.map(\.id)) == row.over)
        #expect(Set(unwanted.displaced.map(\.id)) == row.displaced)
        let again = changes.takeUnwanted(of: row.user, besides: row.attempt)
        #expect(again.over.isEmpty && again.displaced.isEmpty, "Each is told once.")
    }

    @Test func stepIsNewsOnceAndOnlyFromAChangeThatCounts() {
        var changes = AccountChanges()
        let (ours, others) = (change(2), change(3))
        changes.began(ours)
        let news = [
            changes.reached(.presenting, by: ours), changes.reached(.presenting, by: ours),
            changes.reached(.presenting, by: others),
        ]
        #expect(news == [true, false, false])
        let ends = [changes.ended(ours), changes.ended(ours)]
        #expect(ends == [.presenting, nil])
        let late = changes.reached(.exchanging, by: ours)
        #expect(!late)
    }
}
