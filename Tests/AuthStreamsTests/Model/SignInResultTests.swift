import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// What a sign-in tells the app about the person, beside the server's user.
@Suite struct SignInResultTests {
    private static let minji = PersonName(givenName: "민지", familyName: "김")

    private func service(
        _ credentials: [Credential], at repository: ScriptedRepository = ScriptedRepository(),
        store: any SessionStore = MemorySessionStore()
    ) -> AuthService {
        let left = Lock(credentials)
        let provider = ScriptedProvider(.apple) { _ in left.withLock { $0.removeFirst() } }
        return AuthService(
            repository: repository, providers: [provider], store: store, callbacks: CallbackRouter())
    }

    private static func apple(_ profile: Credential.Profile? = nil, idToken: Secret? = nil) -> Credential {
        Credential(provider: .apple, idToken: idToken, userID: "001", profile: profile)
    }

    private static func token(_ claims: AuthJSON) -> Secret {
        let parts = [["alg": "RS256"], claims].map { Base64URL.encode($0.data) }
        return Secret("\(parts[0]).\(parts[1]).c2ln")
    }

    @Test func theNameOfTheCredentialReachesTheApp() async throws {
        let auth = service([Self.apple(.init(name: Self.minji, email: "minji@example.com")), Self.apple()])
        let first = try await auth.signIn(with: .apple).value
        #expect(first.name == Self.minji && first.name?.displayName == "김민지")
        #expect(
            try await auth.signIn(with: .apple).value.name == nil, "The server has it, and Apple does not repeat it.")
    }

    @Test func aNameThatTheServerDidNotReceiveComesWithTheNextSignIn() async throws {
        let store = MemorySessionStore()
        let offline = ScriptedRepository { _ in throw AuthError(.network, "Offline.") }
        let failing = service([Self.apple(.init(name: Self.minji))], at: offline, store: store)
        #expect(await failing.signIn(with: .apple).result.error?.code == .network)

        let auth = service([Self.apple(), Self.apple()], store: store)
        #expect(try await auth.signIn(with: .apple).value.name == Self.minji)
        #expect(try await auth.signIn(with: .apple).value.name == nil)
    }

    @Test func theChainMadeByHandHasTheSame() async throws {
        var credential = Self.apple(.init(name: Self.minji))
        credential.isPrivateEmail = true
        let result = try await service([]).signIn(credential: credential).value
        #expect(result.name == Self.minji && result.isPrivateEmail == true)
    }

    @Test func theClaimsOfAnIDTokenAreANameToo() async throws {
        let token = Self.token(["given_name": "민지", "family_name": "김", "name": "Minji Kim"])
        let other = Credential.Profile(name: PersonName(givenName: "Ada"))
        let auth = service([
            Self.apple(idToken: token), Self.apple(other, idToken: token),
            Self.apple(idToken: Self.token(["given_name": 7, "family_name": " "])),
            Self.apple(idToken: Secret("no JWT")),
        ])
        #expect(try await auth.signIn(with: .apple).value.name == Self.minji)
        #expect(try await auth.signIn(with: .apple).value.name == other.name)
        #expect(try await auth.signIn(with: .apple).value.name == nil)
        #expect(try await auth.signIn(with: .apple).value.name == nil)
    }

    /// The repository redeemed the credential's code, so that the credential has no ID token.
    @Test func theClaimsOfAnIssuersSessionAreANameToo() async throws {
        let claims: [String: AuthJSON] = ["given_name": "민지", "family_name": "김"]
        func name(_ openID: AuthSession.OpenID?) async throws -> PersonName? {
            let repository = ScriptedRepository { credential in
                var session = ScriptedRepository.session(of: credential)
                session.user.claims = claims
                session.openID = openID
                return session
            }
            return try await service([Self.apple()], at: repository).signIn(with: .apple).value.name
        }
        #expect(try await name(.init(idToken: Self.token(.object(claims)))) == Self.minji)
        #expect(try await name(nil) == nil, "The claims are those of the app's own server.")
    }

    @Test(arguments: [true, false, nil] as [Bool?])
    func whetherTheAddressIsARelayIsToldOrUnknown(isPrivate: Bool?) async throws {
        var credential = Self.apple()
        credential.isPrivateEmail = isPrivate
        #expect(try await service([credential]).signIn(with: .apple).value.isPrivateEmail == isPrivate)
    }

    @Test func anAnonymousSignInKnowsNeither() async throws {
        let result = try await service([]).signInAnonymously().value
        #expect(result.name == nil && result.isPrivateEmail == nil)
    }
}
