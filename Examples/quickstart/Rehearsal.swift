import AuthStreams
import AuthStreamsTesting

/// Plays a scenario on a new device and writes down what readers saw.
@MainActor
struct Rehearsal {
    let emulator: Emulator
    let backend: EmulatedDevice.Backend

    func run(_ scenario: Scenario) async throws -> AttemptRecord {
        let person = try await Person(for: scenario.story, at: emulator)
        let begin = ContinuousClock.now
        let requestsBefore = requests
        // Readers end when the service is released, so the device must not outlive the taps.
        let (results, states, events) = await play(scenario, person)
        return AttemptRecord(
            scenario: scenario, backend: backend, results: results, steps: await events.value,
            states: await states.value,
            httpRequests: requests - requestsBefore, duration: ContinuousClock.now - begin)
    }

    private var requests: Int { emulator.journal.entries.count { $0.caller == .app } }

    private func play(
        _ scenario: Scenario, _ person: Person
    ) async -> ([Result<SignInResult, AuthError>], Task<[String], Never>, Task<[AttemptRecord.Step], Never>) {
        let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
        scenario.direct(device)
        let auth = person.service(for: scenario.story, at: emulator) ?? device.auth
        for await state in auth.states { if state == .signedOut(nil) { break } }
        let (states, events) = (namesOfStates(auth.states), steps(auth.events))

        let prompts = person.answers(auth.prompts.presenting())
        defer { prompts.cancel() }
        let (taps, tap) = AsyncStream<ProviderID>.makeStream()
        for _ in 0..<scenario.taps { tap.yield(scenario.provider) }
        tap.finish()
        // Nothing is answered before all taps are in, so a second one really comes while the first is in flight.
        let gate = scenario.taps > 1 ? EmulatorGate() : nil
        if let gate { emulator.inject(.held(until: gate), at: EmulatorEndpoint(host: scenario.firstHost)) }
        // Never awaited: an attempt that ends without a request must not be waited for.
        async let _: Void = open(gate)
        var results: [Result<SignInResult, AuthError>] = []
        for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { results.append(result) }
        return (results, states, events)
    }

    private func open(_ gate: EmulatorGate?) async {
        await gate?.arrival()
        gate?.open()
    }

    private func namesOfStates(_ states: AuthStates) -> Task<[String], Never> {
        // The reader's place is taken here, so it misses nothing that comes after.
        var iterator = states.makeAsyncIterator()
        return Task {
            var names: [String] = []
            while let state = await iterator.next() {
                if names.last != state.name { names.append(state.name) }
            }
            return names
        }
    }

    private func steps(_ events: AuthEvents) -> Task<[AttemptRecord.Step], Never> {
        var iterator = events.makeAsyncIterator()
        return Task {
            var steps: [AttemptRecord.Step] = []
            while let event = await iterator.next() {
                guard event.kind == .signInStep, let step = event.attempt?.step, let elapsed = event.elapsed else {
                    continue
                }
                steps.append(AttemptRecord.Step(name: step.rawValue, at: elapsed))
            }
            return steps
        }
    }
}
