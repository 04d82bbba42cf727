import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The authentication contexts and the age that a request asks for, by the issuer's page and the ID token that answers it.
@Suite struct OpenIDContextTests {
    private static var options: OpenIDProvider.Options {
        var options = OpenIDProvider.Options()
        options.acrValues = ["silver"]
        options.maximumAge = .seconds(86_400)
        return options
    }

    /// An issuer at which the person logs in by that method.
    private struct Issuer {
        let provider: OpenIDProvider
        let repository: OpenIDRepository
        let agent = ScriptedAgent { callback($1, ["code": "code", "state": $0["state"] ?? ""]) }

        init(
            acr: String, _ redeemer: OpenIDProvider.Redeemer = .repository, loggedInAt date: Int64 = 1_800_000_000
        ) {
            var fixture = IssuerFixture()
            let secrets = AuthorizationSecrets()
            fixture.first = [
                "acr": .string(acr), "auth_time": .integer(date), "nonce": .string(secrets.nonce.reveal()),
            ]
            var provider = fixture.provider(fixture.transport, options: options, redeemer: redeemer, agent: agent)
            provider.makeSecrets = { secrets }
            (self.provider, repository) = (provider, OpenIDRepository(for: provider))
        }
    }

    private static let session = AuthSession(
        accessToken: Secret("access-0"), refreshToken: Secret("refresh-0"), expiresAt: nil,
        user: AuthUser(id: "1001", claims: ["iss": .string(IssuerFixture.issuer)]), provider: "keycloak")

    /// What a resource server asks for takes the place of the options' contexts.
    @Test func aStepUpAcceptsTheContextThatItAskedFor() async throws {
        let issuer = Issuer(acr: "gold")
        let request = AuthRequest(purpose: .reauthenticate, acrValues: ["gold"], maximumAge: .seconds(300))
        let credential = try await issuer.provider.authenticate(request).value
        #expect(credential.acrValues == ["gold"])
        let session = try await issuer.repository.reauthenticate(Self.session, with: credential)
        #expect(session.user.id == "1001" && session.accessToken == Secret("access-1"))
        let page = try #require(await issuer.agent.pages.first)
        #expect(page["acr_values"] == "gold")
        #expect(page["max_age"] == "0", "A re-authentication asks for more than any age.")
    }

    /// The options would take a log-in of a day ago.
    @Test(arguments: [(nil, true), (Duration.seconds(60), false)])
    func aSignInRefusesALogInThatIsOlderThanItAskedFor(age: Duration?, isTaken: Bool) async throws {
        let issuer = Issuer(acr: "silver", loggedInAt: 1_799_990_000)
        let credential = try await issuer.provider.authenticate(AuthRequest(maximumAge: age)).value
        do {
            let session = try await issuer.repository.signIn(with: credential)
            #expect(isTaken && session.user.id == "1001")
        } catch { #expect(error.code == .invalidIDToken && !isTaken) }
    }

    @Test func aStepUpRefusesTheContextOfTheOptions() async throws {
        let issuer = Issuer(acr: "silver")
        let request = AuthRequest(purpose: .reauthenticate, acrValues: ["gold"])
        let credential = try await issuer.provider.authenticate(request).value
        let error = await #expect(throws: AuthError.self) {
            try await issuer.repository.reauthenticate(Self.session, with: credential)
        }
        #expect(error?.code == .invalidIDToken)
    }

    /// Where the app redeems the code, the provider itself checks the ID token.
    @Test(arguments: [("gold", true), ("silver", false)])
    func theProviderChecksTheContextThatItAskedFor(acr: String, isTaken: Bool) async throws {
        let issuer = Issuer(acr: acr, .app)
        do {
            let request = AuthRequest(purpose: .reauthenticate, acrValues: ["gold"], maximumAge: .seconds(300))
            let credential = try await issuer.provider.authenticate(request).value
            #expect(isTaken && credential.acrValues == ["gold"])
        } catch { #expect(error.code == .invalidIDToken && !isTaken) }
    }

    /// Without contexts of its own a request asks for those of the options.
    @Test(arguments: [("silver", true), ("gold", false)])
    func aPlainReauthenticationAcceptsTheContextOfTheOptions(acr: String, isTaken: Bool) async throws {
        let issuer = Issuer(acr: acr)
        let credential = try await issuer.provider.authenticate(AuthRequest(purpose: .reauthenticate)).value
        #expect(await issuer.agent.pages.first?["acr_values"] == "silver")
        do {
            _ = try await issuer.repository.reauthenticate(Self.session, with: credential)
            #expect(isTaken)
        } catch { #expect(error.code == .invalidIDToken && !isTaken) }
    }

    @Test func theRequestsAgeAndContextsReachTheSignInsPage() async throws {
        let issuer = Issuer(acr: "gold")
        let request = AuthRequest(acrValues: ["gold", "platinum"], maximumAge: .seconds(300))
        let credential = try await issuer.provider.authenticate(request).value
        let page = try #require(await issuer.agent.pages.first)
        #expect(page["max_age"] == "300" && page["acr_values"] == "gold platinum")
        #expect(try await issuer.repository.signIn(with: credential).user.id == "1001")
        let plain = Issuer(acr: "silver")
        _ = try await plain.provider.authenticate(AuthRequest()).value
        let usual = try #require(await plain.agent.pages.first)
        #expect(usual["max_age"] == "86400" && usual["acr_values"] == "silver")
    }
}
