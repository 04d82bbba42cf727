import Testing

@testable import AuthStreams

@Suite(.timeLimit(.minutes(1))) struct SerialGateTests {
    /// On one actor tasks take turns, so after this every task made before it has gone as far as it can.
    @MainActor private func letEveryoneTakeATurn() async { await Task { @MainActor in }.value }

    @MainActor
    @Test func sectionsRunOneAtATimeInTheOrderOfArrival() async throws {
        let (gate, hold) = (SerialGate(), OneShot<Void>())
        var log: [String] = []
        let sections = ["a", "b", "c", "d"].map { name in
            Task { @MainActor in
                try await gate.run {
                    log.append("\(name) in")
                    _ = await hold.value()
                    await Task.yield()
                    log.append("\(name) out")
                }
            }
        }
        await letEveryoneTakeATurn()
        #expect(log == ["a in"])
        hold.resolve(())
        for section in sections { try await section.value }
        #expect(log == ["a in", "a out", "b in", "b out", "c in", "c out", "d in", "d out"])
    }

    @MainActor
    @Test func aCancelledTaskStillGetsItsTurnAndAThrowingOneLeavesTheGate() async throws {
        let (gate, hold) = (SerialGate(), OneShot<Void>())
        let first = Task { @MainActor in
            try await gate.run { () async throws(AuthError) in
                _ = await hold.value()
                throw AuthError(.storage, "Full.")
            }
        }
        let second = Task { @MainActor in try await gate.run { true } }
        await letEveryoneTakeATurn()
        second.cancel()
        hold.resolve(())
        await #expect(throws: AuthError.self) { try await first.value }
        #expect(try await second.value)
    }
}
