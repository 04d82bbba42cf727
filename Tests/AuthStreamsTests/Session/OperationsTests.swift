import Testing

@testable import AuthStreams

/// Which changes continue and which are superseded: the rules, as a table.
@Suite struct OperationsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The steps that the changes 2, 4 and 6 have come to, in the order in which they came there.
        var steps: [(Int, AuthState.SignInStep)] = []
        /// Who is signed in then.
        var user: String? = "ada"
        /// The sign-in under way.
        var attempt: Int?
        var over: Set<Int> = []
        var displaced: Set<Int> = []
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
        Row(testDescription: "without a user all are over", steps: [(2, .presenting)], user: nil, over: [2, 4, 6]),
        Row(
            testDescription: "for another user, too", steps: [(2, .establishingSession)], user: "bob",
            over: [2, 4, 6]),
    ]

    @Test(arguments: rows) func giveWay(row: Row) {
        var operations = Operations()
        var changes: [Int: AccountChange] = [:]
        for number in 1...6 {
            if [2, 4, 6].contains(number) {
                changes[number] = operations.beginChange(.link, of: "ada", with: .naver, .zero)
            } else if number == row.attempt {
                _ = operations.beginSignIn(.person, with: .kakao, at: .presenting, .zero)
            }
        }
        for (number, step) in row.steps {
            guard let change = changes[number] else { continue }
            let isNews = operations.reach(step, change)
            #expect(isNews)
        }
        func numbers(_ unwanted: [AccountChange]) -> Set<Int> {
            Set(unwanted.compactMap { change in changes.first { $0.value === change }?.key })
        }
        let user = row.user.map { AuthUser.ID($0) }
        let unwanted = operations.removeUnwantedChanges(of: user)
        #expect(numbers(unwanted.over) == row.over)
        #expect(numbers(unwanted.superseded) == row.displaced)
        let again = operations.removeUnwantedChanges(of: user)
        #expect(again.over.isEmpty && again.superseded.isEmpty, "Each is told once.")
    }

    @Test func stepIsNewsOnceAndOnlyFromAChangeThatCounts() {
        var operations = Operations()
        let ours = operations.beginChange(.link, of: "ada", with: .naver, .zero)
        var others = Operations()
        let foreign = others.beginChange(.link, of: "ada", with: .naver, .zero)
        let news = [
            operations.reach(.presenting, ours), operations.reach(.presenting, ours),
            operations.reach(.presenting, foreign),
        ]
        #expect(news == [true, false, false])
        let ends = [operations.end(ours), operations.end(ours)]
        #expect(ends == [.presenting, nil])
        let late = operations.reach(.exchanging, ours)
        #expect(!late)
    }
}
