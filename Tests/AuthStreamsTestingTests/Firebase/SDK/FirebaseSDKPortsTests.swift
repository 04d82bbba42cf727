import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// The article's repository over Firebase's SDK, with the emulated project behind the SDK's stand-in.
@Suite struct FirebaseSDKPortsTests {
    private let repository = FirebaseSDKRepository()

    private func run(_ body: (EmulatedBackend, Credential) async throws -> Void) async throws {
        try await EmulatedBackend.run { backend in
            let credential = Credential(
                provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n"))
            try await FirebaseStandIn.$installed.withValue(FirebaseStandIn(emulator: backend.emulator)) {
                try await body(backend, credential)
            }
        }
    }

    private func failure(_ attempt: () async throws(AuthError) -> Void) async -> AuthError? {
        do throws(AuthError) { try await attempt() } catch { return error }
        return nil
    }

    @Test func aSessionOfTheSDKIsMadeRefreshedAndEnded() async throws {
        try await run { backend, credential in
            let session = try await repository.signIn(with: credential)
            #expect(session.user.id == "kakao:1001")
            #expect(session.provider == .kakao)
            #expect(session.isNewUser)
            #expect(session.refreshToken != nil)
            #expect(Auth.auth().currentUser?.uid == "kakao:1001")
            backend.clock.advance(by: .seconds(1800))
            let refreshed = try await repository.refresh(session)
            #expect(refreshed.expiresAt == session.expiresAt?.addingTimeInterval(1800))
            #expect(refreshed.accessToken != session.accessToken)
            try await repository.signOut(refreshed)
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func theServiceSignsInAndOutByTheSDK(with provider: ProviderID) async throws {
        try await run { backend, _ in
            let credential: Credential =
                switch provider {
                case .apple: backend.apple()
                case .google: backend.google()
                case .kakao: backend.kakao()
                default: try await backend.naver()
                }
            let auth = serviceWithSDK(
                [.provider(ScriptedProvider(provider) { _ in credential })],
                .isolated(clock: backend.emulator.configuration.clock))
            let user = try await auth.signIn(with: provider).value.user
            #expect(user.providers.map(\.id) == [provider])
            #expect(Auth.auth().currentUser?.uid == user.id)
            try await auth.signOut()
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test func theNameOfApplesFirstAuthorizationReachesTheSDK() async throws {
        try await run { backend, _ in
            var credential = backend.apple()
            credential.profile = Credential.Profile(name: PersonName(givenName: "Ada", familyName: "Lovelace"))
            let session = try await repository.signIn(with: credential)
            #expect(session.user.displayName == "Ada Lovelace")
        }
    }

    @Test func aUserWhomTheSDKHasSignedInIsAdoptedAndStaysWithTheSDK() async throws {
        try await run { backend, _ in
            _ = try await repository.signIn(with: backend.google())
            let auth = serviceWithSDK([], .isolated(clock: backend.emulator.configuration.clock))
            let seen = await auth.states.prefix { if case .signedIn(_, .verified) = $0 { true } else { false } }
            #expect(seen.last?.user?.providers.map(\.id) == [.google])
            #expect(auth.session?.provider == .google)
            #expect(Auth.auth().currentUser?.uid == seen.last?.user?.id)
        }
    }

    @Test func anAccountIsDeletedByTheSDK() async throws {
        try await run { backend, credential in
            try await repository.deleteAccount(try await repository.signIn(with: credential))
            #expect(backend.emulator.firebase["kakao:1001"] == nil)
        }
    }

    /// A credential of the system's sheet: its code has no redirect URI.
    private func sheet(_ backend: EmulatedBackend) async throws -> Credential {
        let nonce = UUID().uuidString
        let form = FormCoding.encode([
            ("client_id", backend.emulator.configuration.apple.bundleID), ("nonce", SHA256.hex(nonce)),
            ("scope", "name email"),
        ])
        let answer = try await backend.post(
            "https://appleid.apple.com/emulator/sheet", Data(form.utf8), type: FormCoding.contentType)
        return Credential(
            provider: .apple, idToken: Secret(try #require(answer["identityToken"]?.string)), rawNonce: Secret(nonce),
            authorizationCode: .init(code: Secret(try #require(answer["authorizationCode"]?.string))),
            userID: answer["user"]?.string, isBound: true)
    }

    @Test func aDeletionRevokesApplesTokensByTheSDK() async throws {
        try await run { backend, _ in
            let auth = serviceWithSDK(
                [.provider(ScriptedProvider(.apple) { _ in try await sheet(backend) })],
                .isolated(clock: backend.emulator.configuration.clock))
            let user = try await auth.signIn(with: .apple).value.user
            try await auth.deleteAccount().value
            #expect(auth.state == .signedOut(.deleted))
            #expect(backend.emulator.firebase[user.id] == nil)
            let asked = backend.emulator.journal.entries.filter {
                $0.caller == .service && $0.host == "appleid.apple.com"
            }
            #expect(asked.map(\.path) == ["/auth/token", "/auth/revoke"])
        }
    }

    @Test func anIdentityIsLinkedByTheSDK() async throws {
        try await run { backend, _ in
            let session = try await repository.signIn(with: backend.google())
            let linked = try await repository.link(backend.apple(), to: session)
            #expect(linked.user.id == session.user.id && linked.provider == .google)
            #expect(Set(linked.user.providers.map(\.id)) == [.google, .apple])
            #expect(Auth.auth().currentUser?.uid == session.user.id)
        }
    }

    @Test func anIdentityIsLinkedByTheFunction() async throws {
        try await run { backend, _ in
            let session = try await repository.signIn(with: backend.google())
            let linked = try await repository.link(backend.kakao(), to: session)
            #expect(linked.user.id == session.user.id && linked.provider == .google)
            #expect(linked.user.providers.map(\.id) == [.google, .kakao])
            #expect(linked.user.providers.last?.userID == "1001")
            #expect(backend.emulator.firebase[session.user.id]?.functionIdentities == ["kakao": "1001"])
            #expect(try await repository.refresh(linked).user.providers.map(\.id) == [.google, .kakao])
            // The identity signs in as the user that it is linked to.
            #expect(try await repository.signIn(with: backend.kakao()).user.providers.map(\.id) == [.google, .kakao])
        }
    }

    @Test func aUserOfTheFunctionKeepsItsIdentityBesideALinkedOne() async throws {
        try await run { backend, credential in
            let session = try await repository.signIn(with: credential)
            let linked = try await repository.link(backend.google(), to: session)
            #expect(linked.user.id == "kakao:1001")
            #expect(linked.user.providers.map(\.id) == [.google, .kakao])
        }
    }

    @Test func anIdentityOfAnotherUserIsInUseAndTheSDKsUserStays() async throws {
        try await run { backend, credential in
            _ = try await repository.signIn(with: credential)
            let session = try await repository.signIn(with: backend.google())
            let refused = await failure { () throws(AuthError) in
                _ = try await repository.link(credential, to: session)
            }
            #expect(refused?.code == .credentialInUse)
            #expect(refused?.conflict?.credential?.provider == .kakao)
            #expect(Auth.auth().currentUser?.uid == session.user.id)
        }
    }

    @Test(arguments: [ProviderID.google, .kakao]) func thePersonIsProvenByTheSDK(with provider: ProviderID) async throws
    {
        try await run { backend, _ in
            func credential(_ id: String) -> Credential {
                provider == .google ? backend.google(id, email: .string("\(id)@example.com")) : backend.kakao(id)
            }
            let session = try await repository.signIn(with: credential("1001"))
            let proven = try await repository.reauthenticate(session, with: credential("1001"))
            #expect(proven.user.id == session.user.id)
            let other = credential("1002")
            let refused = await failure { () throws(AuthError) in
                _ = try await repository.reauthenticate(proven, with: other)
            }
            #expect(refused?.code == (provider == .google ? .invalidCredential : .credentialInUse))
            #expect(Auth.auth().currentUser?.uid == session.user.id)
        }
    }

    @Test func anotherPersonWhoAnswersAtAReauthenticationIsNotTheSDKsUser() async throws {
        try await run { backend, _ in
            let people = Lock(["1001", "1002"])
            let provider = ScriptedProvider(.kakao) { _ in
                var credential = backend.kakao(people.withLock { $0.removeFirst() })
                credential.isBound = true
                return credential
            }
            let auth = serviceWithSDK(
                [.provider(provider)], .isolated(clock: backend.emulator.configuration.clock))
            _ = try await auth.signIn(with: .kakao).value

            let refused = await failure { () throws(AuthError) in _ = try await auth.reauthenticate().value }

            #expect(refused?.code == .credentialInUse)
            #expect(auth.user?.id == "kakao:1001")
            #expect(Auth.auth().currentUser?.uid == "kakao:1001")
            // The function was asked with the action at which it creates no user.
            #expect(backend.emulator.firebase["kakao:1002"] == nil)
            #expect(try await !auth.accessToken(forceRefresh: true).isEmpty)
            try await auth.signOut()
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test func theServersNoIsTheLibrarysCodeAndHasNoSecretInIt() async throws {
        try await run { backend, credential in
            let session = try await repository.signIn(with: credential)
            backend.emulator.firebase.disable("kakao:1001")
            let refused = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(refused?.code == .userDisabled)
            // The function's own word for it.
            let disabled = await failure { () throws(AuthError) in _ = try await repository.signIn(with: credential) }
            #expect(disabled?.code == .userDisabled)
            backend.emulator.firebase.delete("kakao:1001")
            let gone = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(gone?.code == .userNotFound)
            expectNoSecret(of: backend.emulator, in: [refused, disabled, gone])
        }
    }

    private func expectNoSecret(of emulator: Emulator, in errors: [AuthError?]) {
        let told = errors.map { $0?.debugDescription ?? "" }.joined()
        #expect(!told.isEmpty)
        for secret in emulator.issuedSecrets { #expect(!told.contains(secret.value.reveal()), "\(secret)") }
    }

    @Test func troubleIsNoWordOfTheServers() async throws {
        try await run { backend, credential in
            backend.emulator.inject(.status(503), at: backend.emulator.configuration.firebase.functionEndpoint)
            let down = await failure { () throws(AuthError) in _ = try await repository.signIn(with: credential) }
            #expect(down?.code == .server)
            let session = try await repository.signIn(with: credential)
            backend.emulator.inject(.dropConnection, at: .secureToken)
            let cut = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(cut?.code == .network)
            Auth.auth().forget()
            let locked = await ProtectedData.$isAvailable.withValue({ false }) {
                await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            }
            #expect(locked?.code == .storageLocked)
            let gone = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(gone?.code == .sessionExpired)
        }
    }

    @Test func aCredentialWithoutProofAsksNobody() async throws {
        try await run { backend, _ in
            let error = await failure { () throws(AuthError) in
                _ = try await repository.signIn(with: Credential(provider: .kakao, idToken: Secret("no nonce")))
            }
            #expect(error?.code == .invalidCredential)
            #expect(backend.emulator.journal.entries.isEmpty)
        }
    }
}
