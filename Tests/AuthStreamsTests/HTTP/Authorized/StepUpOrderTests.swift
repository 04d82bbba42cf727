import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Step-ups of several requests at once: who asks, who joins, who waits.
@Suite struct StepUpOrderTests {
    private static let gold = StepUpRequirement(acrValues: ["gold"])
    private static let recent = StepUpRequirement(maximumAge: .seconds(300))

    /// A person who is asked one requirement after the other, and answers as the test says.
    private final class Person: Sendable {
        /// `+` where the person begins to be asked, `-` where that ends.
        let log = Lock([String]())
        private let gates: [StepUpRequirement: Promise<Void>]

        init(answering requirements: StepUpRequirement...) {
            gates = Dictionary(uniqueKeysWithValues: requirements.map { ($0, Promise()) })
        }

        func answer(_ requirement: StepUpRequirement) { gates[requirement]?.resolve(()) }

        var prove: StepUps.Prove {
            { requirement in
                let name = requirement.acrValues.first ?? "recent"
                self.log.withLock { $0.append("+\(name)") }
                let isAnswered = await self.gates[requirement]?.value() != nil
                self.log.withLock { $0.append("-\(name)") }
                return isAnswered ? .success(()) : .failure(.cancelled)
            }
        }
    }

    private static let session = SessionID(rawValue: String(repeating: "0", count: 32))
    private static let other = SessionID(rawValue: String(repeating: "1", count: 32))

    private func run(
        _ steps: StepUps, _ requirement: StepUpRequirement, present: SessionID? = session
    ) -> Task<Result<Bool, AuthError>, Never> {
        let sent = steps.ended
        return Task {
            do throws(AuthError) {
                let isProven = try await steps.run(requirement, of: Self.session, since: sent) {
                    () throws(AuthError) in
                    guard let present else { throw .notSignedIn }
                    return present
                }
                return .success(isProven)
            } catch { return .failure(error) }
        }
    }

    /// Another person has signed in while the request waited: they are not asked for it.
    @Test func anotherSessionsUserIsNotAsked() async throws {
        let person = Person(answering: Self.gold)
        let steps = StepUps(person.prove)
        #expect(await run(steps, Self.gold, present: Self.other).value.error?.code == .superseded)
        #expect(await run(steps, Self.gold, present: nil).value.error?.code == .notSignedIn)
        #expect(person.log.withLock { $0.isEmpty } && steps.ended == 0)
    }

    /// An authentication that is new satisfies each.
    @Test func requirementsThatDifferByAgeAloneJoin() async throws {
        let person = Person(answering: Self.recent)
        let steps = StepUps(person.prove)
        let first = run(steps, Self.recent)
        try await wait(for: "the first to be asked") { person.log.withLock { $0 } == ["+recent"] }
        let second = run(steps, StepUpRequirement(maximumAge: .seconds(60)))
        person.answer(Self.recent)
        for request in [first, second] { #expect(try await request.value.get()) }
        #expect(person.log.withLock { $0 } == ["+recent", "-recent"] && steps.ended == 1)
    }

    /// A question would take the place of another one.
    @Test func differentRequirementsAreAskedOneAfterAnother() async throws {
        let person = Person(answering: Self.gold, Self.recent)
        let steps = StepUps(person.prove)
        let first = run(steps, Self.gold)
        try await wait(for: "the first to be asked") { person.log.withLock { $0 } == ["+gold"] }
        let second = run(steps, Self.recent)
        try await wait(for: "the second to wait or be asked") {
            steps.asking.waiting == 1 || person.log.withLock { $0.count } > 1
        }
        person.answer(Self.recent)
        person.answer(Self.gold)
        for request in [first, second] { #expect(try await request.value.get()) }
        #expect(person.log.withLock { $0 } == ["+gold", "-gold", "+recent", "-recent"])
        #expect(steps.ended == 2)
    }

    @Test func theSameRequirementJoins() async throws {
        let person = Person(answering: Self.gold)
        let steps = StepUps(person.prove)
        // Its requests were sent before the step-up.
        let joining = (0..<3).map { _ in run(steps, Self.gold) }
        try await wait(for: "one to be asked") { person.log.withLock { !$0.isEmpty } }
        person.answer(Self.gold)
        for request in joining { #expect(try await request.value.get()) }
        #expect(person.log.withLock { $0 } == ["+gold", "-gold"] && steps.ended == 1)
        // A request that was sent with the token of the step-up is asked anew.
        #expect(try await run(steps, Self.gold).value.get())
        #expect(steps.ended == 2)
    }

    /// The one whose request is cancelled while the person is asked.
    @Test func theNextRequestTakesThePlaceOfACancelledOne() async throws {
        let person = Person(answering: Self.gold)
        let steps = StepUps(person.prove)
        let first = run(steps, Self.gold)
        try await wait(for: "the first to be asked") { person.log.withLock { $0 } == ["+gold"] }
        let next = run(steps, Self.gold)
        first.cancel()
        #expect(await first.value.error?.code == .cancelled)
        try await wait(for: "the next to be asked") { person.log.withLock { $0.count } == 3 }
        person.answer(Self.gold)
        #expect(try await next.value.get())
        #expect(person.log.withLock { $0 } == ["+gold", "-gold", "+gold", "-gold"] && steps.ended == 1)
    }

    /// The one whose request is cancelled while another requirement is asked.
    @Test func aRequestThatIsCancelledWhileItWaitsKeepsNoOther() async throws {
        let person = Person(answering: Self.gold, Self.recent)
        let steps = StepUps(person.prove)
        let first = run(steps, Self.gold)
        try await wait(for: "the first to be asked") { person.log.withLock { $0 } == ["+gold"] }
        let cancelled = run(steps, Self.recent)
        try await wait(for: "the second to wait") { steps.asking.waiting == 1 }
        cancelled.cancel()
        #expect(await cancelled.value.error?.code == .cancelled)
        let next = run(steps, Self.recent)
        person.answer(Self.recent)
        person.answer(Self.gold)
        for request in [first, next] { #expect(try await request.value.get()) }
        #expect(person.log.withLock { $0 } == ["+gold", "-gold", "+recent", "-recent"])
    }

    // MARK: Through the service

    /// A service whose API wants a proof that the re-authentication of its server gives.
    private struct Scene: Sendable {
        let auth: AuthService
        let asked = Lock([AuthRequest]())
        let tokens = Lock([String: [String]]())
        /// How many proofs the server has seen.
        private let proofs = Lock(0)
        /// Resolved when the second request has arrived.
        private let second = Promise<Void>()

        /// - Parameters:
        ///   - givesToken: Whether a proof gives another access token; otherwise the server notes it at the session.
        ///   - needed: How many proofs the API wants, by the path.
        init(givesToken: Bool, needed: [String: Int], requests: Int) {
            let (asked, tokens, proofs, second) = (asked, tokens, proofs, second)
            var account = ScriptedAccount()
            account.reauthenticate = { session, _ in
                let count = proofs.withLock { proofs in
                    proofs += 1
                    return proofs
                }
                var session = session
                if givesToken { session.accessToken = Secret("proven-\(count)") }
                return session
            }
            let kakao = ScriptedProvider(.kakao) { request in
                if request.purpose == .reauthenticate { asked.withLock { $0.append(request) } }
                request.onStep(.presenting)
                return Credential(provider: .kakao, idToken: Secret("token"), userID: "1", isBound: true)
            }
            let api = TokenGuard { request in
                let path = request.url.lastPathComponent
                let arrived = tokens.withLock { tokens in
                    tokens[path, default: []].append(request.headers[.authorization] ?? "")
                    return tokens.values.map(\.count).reduce(0, +)
                }
                if arrived >= requests { second.resolve(()) }
                if proofs.withLock({ $0 }) >= needed[path] ?? 0 { return AuthHTTPResponse(status: 200) }
                _ = await second.value()
                let wanted = path == "gold" ? #"acr_values="gold""# : #"max_age="300""#
                return AuthHTTPResponse(
                    status: 401,
                    headers: ["WWW-Authenticate": #"Bearer error="insufficient_user_authentication", "# + wanted])
            }
            let server = URL(literal: "https://api.example.com")
            auth = AuthService(
                repository: ScriptedRepository(account: account), providers: [kakao], store: MemorySessionStore(),
                callbacks: CallbackRouter(), api: APIAccess(to: [server], over: api))
        }

        func send(_ path: String) -> Task<Int, any Error> {
            let request = AuthHTTPRequest(.get, URL(literal: "https://api.example.com").appending(path: path))
            return Task { try await auth.data(for: request).status }
        }
    }

    private func signedIn(givesToken: Bool, needed: [String: Int], requests: Int = 1) async throws -> Scene {
        let scene = Scene(givesToken: givesToken, needed: needed, requests: requests)
        _ = try await scene.auth.signIn(with: .kakao).value
        return scene
    }

    /// The server notes the proof at the session, whose token stays.
    @Test func withoutAnotherTokenTheRequestIsRepeatedOnce() async throws {
        let scene = try await signedIn(givesToken: false, needed: ["gold": 1])
        #expect(try await scene.send("gold").value == 200)
        #expect(scene.asked.withLock { $0.map(\.acrValues) } == [["gold"]])
        let token = "Bearer scripted-access-token"
        #expect(scene.tokens.withLock { $0 } == ["gold": [token, token]])
    }

    @Test func withoutAnotherTokenASecondRefusalIsReturned() async throws {
        let scene = try await signedIn(givesToken: false, needed: ["gold": 2])
        #expect(try await scene.send("gold").value == 401)
        #expect(scene.asked.withLock { $0.count } == 1 && scene.tokens.withLock { $0["gold"]?.count } == 2)
    }

    @Test(arguments: [true, false]) func eachOfTwoRequirementsIsAskedAndItsRequestRepeated(givesToken: Bool)
        async throws
    {
        let scene = try await signedIn(givesToken: givesToken, needed: ["gold": 1, "recent": 1], requests: 2)
        let (gold, recent) = (scene.send("gold"), scene.send("recent"))
        #expect(try await gold.value == 200)
        #expect(try await recent.value == 200)
        let asked = scene.asked.withLock { $0 }
        #expect(asked.count == 2)
        #expect(asked.contains { $0.acrValues == ["gold"] && $0.maximumAge == nil })
        #expect(asked.contains { $0.acrValues.isEmpty && $0.maximumAge == .seconds(300) })
        #expect(scene.tokens.withLock { $0.mapValues(\.count) } == ["gold": 2, "recent": 2])
    }
}
