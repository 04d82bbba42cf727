import AuthStreams
import Foundation
import Testing

@testable import faults

@Suite struct SimulatedAccountTests {
    /// A world that fits, with the access token of a user who just signed in.
    private func world(
        where fits: (Plan) -> Bool = { _ in true }, as signIn: (Server) -> Answer = { $0.signIn(Identity(0)) }
    ) throws -> (world: World, token: TokenName) {
        let schedule = try #require(
            (0..<1000).lazy.map { Schedule(seed: UInt64($0)) }.first {
                $0.plan.persons == 2 && $0.plan.hasRefreshTokens && fits($0.plan)
            })
        let world = World(schedule, timeline: Timeline(isKept: false))
        guard case .session(let access, _) = signIn(world.server).meaning else { throw NoSession() }
        return (world, access)
    }

    @Test func anIdentityIsOneUsers() throws {
        let (world, token) = try world()
        let google = Identity(1, at: .google)
        #expect(world.server.link(google, with: token).response.status == 200)
        #expect(world.server.accounts.user(of: google) == 0)
        #expect(world.server.link(Identity(1), with: token).response.status == 409)
        #expect(world.server.accounts.user(of: Identity(1)) == 1)
    }

    @Test func anAnonymousUserKeepsTheirNumberByLinking() throws {
        let (world, token) = try world(as: { $0.signInAnonymously() })
        #expect(world.server.user(of: token.family) == 2)
        _ = world.server.link(Identity(0, at: .google), with: token)
        #expect(world.server.accounts.user(of: Identity(0, at: .google)) == 2)
    }

    @Test func theLastIdentityStays() throws {
        let (world, token) = try world()
        #expect(world.server.unlink(.kakao, with: token).response.status == 409)
        _ = world.server.link(Identity(0, at: .google), with: token)
        #expect(world.server.unlink(.kakao, with: token).response.status == 200)
        #expect(world.server.accounts.user(of: Identity(0)) == nil)
    }

    @Test func aDeletionWantsProofAndEndsEverySession() throws {
        let (world, token) = try world { $0.wantsProof && $0.lifetime > 300_000 && $0.changes != .session }
        let other = world.server.signIn(Identity(0))
        world.skip(to: 301_000)
        #expect(world.server.deleteAccount(with: token).response.status == 403)
        #expect(world.server.accounts[0].exists)
        #expect(world.server.reauthenticate(Identity(1), with: token).response.status == 409)
        #expect(world.server.reauthenticate(Identity(0), with: token).response.status == 200)
        #expect(world.server.deleteAccount(with: token).meaning == .gone(0))
        #expect(!world.server.accounts[0].exists)
        guard case .session(let access, let refresh?) = other.meaning else { throw NoSession() }
        #expect(!world.server.accepts(access))
        #expect(world.server.refresh(refresh).meaning == .refusal(refresh, .userNotFound))
        // The next sign-in with the same account is a new user.
        #expect(world.server.signIn(Identity(0)).meaning != nil)
        #expect(world.server.accounts.user(of: Identity(0)) == 2)
    }

    @Test func signingOutEverywhereEndsTheSessionsOfThatUserAlone() throws {
        let (world, token) = try world()
        guard case .session(let other, _) = world.server.signIn(Identity(1)).meaning else { throw NoSession() }
        #expect(world.server.signOutEverywhere(with: token).response.status == 204)
        #expect(!world.server.accepts(token))
        #expect(world.server.accepts(other))
    }

    // MARK: Further steps

    /// A server that wants further steps, and the first that it wants for a sign-in.
    private func challenge(
        where fits: (ChallengePlan) -> Bool
    ) throws -> (world: World, step: ChallengeText) {
        let (world, _) = try world {
            $0.challenges.map { $0.includesSignIns && $0.times == 1 && $0.attempts > 1 && fits($0) } ?? false
        }
        let answer = ServerCall.signIn(Identity(0)).carryOut(by: world.server)
        return (world, try #require(ChallengeText(answer.response)))
    }

    @Test func aPendingTokenWorksOnce() throws {
        let (world, step) = try challenge { $0.steps == 1 }
        let answer = world.server.take(StepAnswer(step.pending, .right), with: nil)
        #expect(answer.spent == step.pending)
        #expect(answer.response.status == 200)
        #expect(world.server.take(StepAnswer(step.pending, .right), with: nil).response.status == 403)
    }

    @Test func aPendingTokenExpires() throws {
        let (world, step) = try challenge { $0.tellsLifetime && $0.steps == 1 }
        world.skip(to: try #require(step.expiresIn))
        #expect(world.server.take(StepAnswer(step.pending, .right), with: nil).response.status == 403)
    }

    @Test(arguments: [false, true]) func aWrongAnswerIsCounted(renewsTokens: Bool) throws {
        let (world, step) = try challenge { $0.renewsTokens == renewsTokens }
        let answer = world.server.take(StepAnswer(step.pending, .wrong), with: nil)
        let next = try #require(ChallengeText(answer.response))
        #expect(next.attemptsLeft == step.attemptsLeft - 1)
        #expect((next.pending != step.pending) == renewsTokens)
        #expect(answer.spent == (renewsTokens ? step.pending : nil))
    }

    @Test func theSecondStepHasATokenOfItsOwn() throws {
        let (world, step) = try challenge { $0.steps == 2 }
        let answer = world.server.take(StepAnswer(step.pending, .right), with: nil)
        let next = try #require(ChallengeText(answer.response))
        #expect(next.pending != step.pending)
        #expect(next.isForm != step.isForm)
        #expect(world.server.take(StepAnswer(next.pending, .right), with: nil).response.status == 200)
    }

    @Test func anAnswerIsReadFromTheWireAsItWasSent() {
        for kind in [StepAnswer.Kind.right, .wrong, .resend] {
            #expect(StepAnswer(StepAnswer(7, kind).body) == StepAnswer(7, kind))
        }
    }

    @Test func theServerTellsTheTimeOfTheDevice() throws {
        let (world, _) = try world { $0.clockError == 0 }
        world.skip(to: 86_400_000)
        let process = AppProcess(id: 0, role: 0, world: world, jobs: NoJobs())
        let response = AuthHTTPResponse(status: 200, headers: [.date: ServerDate.text(at: world.now)])
        #expect(response.date == process.date)
    }

    private struct NoSession: Error {}

    private final class NoJobs: Jobs {
        var waiting: Int { 0 }
        var hasGuests: Bool { false }
        func run(at place: Int) {}
        func start(_ body: @escaping TaskSpawner.Body) -> Task<Void, Never> { Task {} }
    }
}
