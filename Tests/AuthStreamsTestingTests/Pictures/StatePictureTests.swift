import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams
@testable import faults

/// The picture of the states shows transitions that a service makes, for the causes that it names, and lacks none.
@Suite struct StatePictureTests {
    /// One cause from one state.
    struct Row: Sendable, CustomTestStringConvertible {
        let from: String
        let to: String
        let cause: String

        var testDescription: String { "\(from) → \(to): \(cause)" }
    }

    /// The states of the picture by their names, and the states inside each.
    private static let substates = ["cached", "verified", "offline"]

    /// A row for each state that a row of the picture begins at.
    private static var rows: [Row] {
        get throws {
            try PictureTable("auth-states").rows("transition").flatMap { fields in
                fields[0].split(separator: ", ").map(String.init)
                    .flatMap { $0 == "signedIn" ? substates : [$0] }
                    .map { Row(from: $0, to: fields[1], cause: fields[2]) }
            }
        }
    }

    @Test func statesAreThoseOfAService() throws {
        let table = try PictureTable("auth-states")
        #expect(table.rows("state").map { $0[0] } == ["restoring", "signingIn", "signedOut", "signedIn"])
        #expect(table.rows("substate").map { $0[0] } == Self.substates)
        #expect(table.rows("substate").allSatisfy { $0[1] == "signedIn" })
    }

    @Test func eachTransitionHappensForItsCause() async throws {
        for row in try Self.rows {
            let scenario = StatePictureScenario()
            defer { scenario.end() }
            let cause = try #require(StatePictureScenario.causes[row.cause], "There is no code for '\(row.cause)'.")
            let auth = try await scenario.reach(row.from, for: row.cause)
            var states = auth.states.makeAsyncIterator()
            #expect(await states.next()?.name == row.from, "\(row.testDescription)")
            try await cause(scenario, auth)
            // The steps of one state are no transition, nor are changes within a session that is about to end.
            let isEnd = Self.substates.contains(row.from) && !Self.substates.contains(row.to)
            let isInside = { (state: AuthState) in
                state.name == row.from || isEnd && Self.substates.contains(state.name)
            }
            var next = await states.next()
            while let state = next, isInside(state) { next = await states.next() }
            #expect(next?.isDrawn(as: row.to) == true, "\(row.testDescription), not \(next?.description ?? "none")")
        }
    }

    /// The explorer walks the real state machine through every order of the facts of its worlds, up to a number of states.
    @Test func noTransitionIsMissing() throws {
        let drawn = Set(try Self.rows.map { [$0.from, String($0.to.split(separator: "(")[0])] })
        var seen: Set<[String]> = []
        for world in Exploration.World.allCases {
            let explorer = Explorer(limit: TestVolume.of(1500, full: 20_000))
            _ = explorer.explore(world.beginnings, world.budget)
            for change in explorer.shownChanges where change.before.name != change.after.name {
                seen.insert([change.before.name, change.after.name])
            }
        }
        #expect(seen.subtracting(drawn) == [])
        // Only then does it say something.
        #expect(seen.count > 12)
    }
}

extension AuthState {
    /// The name of the state in the picture.
    fileprivate var name: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut: "signedOut"
        case .signingIn: "signingIn"
        case .signedIn(_, .cached): "cached"
        case .signedIn(_, .verified): "verified"
        case .signedIn(_, .offline): "offline"
        }
    }

    /// Whether the picture means this state by a name, which may add the reason of a sign-out.
    fileprivate func isDrawn(as target: String) -> Bool { target == name || isSignedOut && target == drawn }
}
