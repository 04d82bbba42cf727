import AuthStreams
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Identities, addresses and numbers of a user at the emulated Supabase.
@Suite struct SupabaseLinkTests {
    private static let number = "+82 10 1234 5678"
    private static let byPhone = Credential.password(email: number, "correct horse")

    /// Links an address or a number by the code that is sent to it.
    private func link(
        _ recipient: String, to session: AuthSession, at visit: SupabaseVisit
    ) async throws -> AuthSession {
        let challenge = try await visit.challenge { () throws(AuthError) in
            try await visit.repository.link(.code(to: recipient), to: session)
        }
        let code = try visit.lastCode
        return try await visit.repository.answer(challenge, with: .code(code), in: session)
    }

    // MARK: Addresses and numbers

    /// Supabase finds no user by the new address or number, so that `resend` would send nothing.
    @Test(arguments: [(SupabaseVisit.address, ProviderID.password), (number, .code)])
    func anotherCodeGoesToTheNewRecipient(_ recipient: String, _ provider: ProviderID) async throws {
        try await SupabaseVisit.run(.confirming) { visit in
            let guest = try await visit.repository.signInAnonymously()
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.link(.code(to: recipient), to: guest)
            }
            visit.clock.advance(by: .seconds(60))
            let another = await error { () throws(AuthError) in
                try await visit.repository.answer(challenge, with: .resend, in: guest)
            }
            #expect(another?.code == .verificationRequired && another?.challenge == challenge)
            #expect(visit.supabase.messages.count == 2)
            let code = try visit.lastCode
            let session = try await visit.repository.answer(challenge, with: .code(code), in: guest)
            #expect(session.user.id == guest.user.id && !session.user.isAnonymous && session.provider == .code)
            #expect(session.user.providers.map(\.id) == [provider])
            let question = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: .code(to: recipient))
            }
            let next = try visit.lastCode
            let again = try await visit.repository.answer(question, with: .code(next), in: nil)
            #expect(again.user.id == guest.user.id)
        }
    }

    @Test func aUserHasOneAddressAndOneNumber() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signUp(with: SupabaseVisit.password)
            let session = try await link(Self.number, to: first, at: visit)
            #expect(session.user.id == first.user.id && session.provider == .password)
            #expect(session.user.providers.map(\.id) == [.password, .code])
            // The user's own is no other, however it is written.
            #expect(
                try await visit.repository.link(.code(to: "+821012345678"), to: session).user.providers.map(\.id)
                    == [.password, .code])
            for other in ["+82 10 8765 4321", "other@example.com"] {
                let refusal = await error { () throws(AuthError) in
                    try await visit.repository.link(.code(to: other), to: session)
                }
                #expect(refusal?.code == .unsupportedProvider)
            }
            let another = try await visit.repository.signInAnonymously()
            let taken = await error { () throws(AuthError) in
                try await visit.repository.link(.code(to: Self.number), to: another)
            }
            #expect(taken?.code == .accountExists && taken?.serverCode == "phone_exists")
        }
    }

    @Test func aProjectMayConfirmNoNumbers() async throws {
        try await SupabaseVisit.run(.init { $0.confirmsPhone = false }) { visit in
            let guest = try await visit.repository.signInAnonymously()
            let session = try await visit.repository.link(Self.byPhone, to: guest)
            #expect(session.user.id == guest.user.id && !session.user.isAnonymous && session.provider == .password)
            #expect(visit.supabase.messages.isEmpty)
            #expect(try await visit.repository.signIn(with: Self.byPhone).user.id == guest.user.id)
        }
    }

    @Test func aNumberConfirmsTheIdentity() async throws {
        try await SupabaseVisit.run(.init { $0.confirmsPhone = false }) { visit in
            let session = try await visit.repository.signUp(with: Self.byPhone)
            let other = await error { () throws(AuthError) in
                try await visit.repository.reauthenticate(session, with: .code(to: "+82 10 8765 4321"))
            }
            #expect(other?.code == .credentialInUse && visit.supabase.messages.isEmpty)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.reauthenticate(session, with: .code(to: "+821012345678"))
            }
            let code = try visit.lastCode
            let proven = try await visit.repository.answer(challenge, with: .code(code), in: session)
            #expect(proven.user.id == session.user.id && proven.accessToken != session.accessToken)
        }
    }

    /// Without an address the code for a new password goes to the number.
    @Test func theCodeForANewPasswordGoesToTheNumber() async throws {
        let rules = SupabaseVisit.Rules {
            $0.confirmsPhone = false
            $0.requiresReauthentication = true
        }
        try await SupabaseVisit.run(rules) { visit in
            let first = try await visit.repository.signUp(with: Self.byPhone)
            visit.clock.advance(by: .seconds(86_401))
            let session = try await visit.repository.refresh(first)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.apply(.setPassword(Secret("another horse")), to: session)
            }
            guard case .code(let question) = challenge.step else {
                throw AuthError(.unexpected, "The challenge is another.")
            }
            #expect(question.destination == "+821012345678")
            let code = try visit.lastCode
            _ = try await visit.repository.answer(challenge, with: .code(code), in: session)
            _ = try await visit.repository.signIn(with: .password(email: Self.number, "another horse"))
        }
    }

    // MARK: Identities

    /// A link whose answer was lost is no identity of another user's.
    @Test(arguments: [true, false]) func aLinkIsRepeatedAfterALostAnswer(ofGuest isGuest: Bool) async throws {
        try await SupabaseVisit.run { visit in
            let repository = visit.repository
            let session =
                isGuest
                ? try await repository.signInAnonymously() : try await repository.signIn(with: visit.google())
            visit.backend.emulator.inject(.dropConnection, at: .supabaseToken)
            let lost = await error { () throws(AuthError) in try await repository.link(visit.kakao(), to: session) }
            #expect(lost?.code == .network)
            let linked = try await repository.link(visit.kakao(), to: session)
            #expect(linked.user.id == session.user.id && !linked.user.isAnonymous)
            #expect(linked.user.providers.map(\.id) == (isGuest ? [.kakao] : [.google, .kakao]))
            #expect(linked.provider == (isGuest ? .kakao : .google))
        }
    }

    /// The user gets the address of an identity that is left.
    @Test func removingAnIdentityChangesTheAddress() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            let linked = try await visit.repository.link(visit.kakao(), to: session)
            #expect(linked.user.email == SupabaseVisit.address)
            let unlinked = try await visit.repository.unlink(.google, from: linked)
            #expect(unlinked.user.email == "k1@kakao.example" && unlinked.user.isEmailVerified)
            #expect(unlinked.user.claims["providers"] == ["kakao"])
        }
    }

    @Test func anIdentityStaysIfTheAddressLeftIsAnothers() async throws {
        try await SupabaseVisit.run { visit in
            _ = try await visit.repository.signUp(with: .password(email: "k1@kakao.example", "correct horse"))
            let session = try await visit.repository.signIn(with: visit.google())
            let linked = try await visit.repository.link(visit.kakao(), to: session)
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.unlink(.google, from: linked)
            }
            #expect(
                refusal?.code == .accountExists && refusal?.serverCode == "email_conflict_identity_not_deletable")
            #expect(try await visit.repository.reload(linked).user.providers.map(\.id) == [.google, .kakao])
        }
    }

    /// The identity is linked, and its address is confirmed by a mail, which is sent again by request.
    @Test func anAddressThatIsNotVerifiedIsConfirmedByItsMail() async throws {
        try await SupabaseVisit.run(.confirming) { visit in
            let auth = visit.auth
            let guest = try await auth.signInAnonymously().value.user
            var credential = visit.google("1001", ["email_verified": false])
            credential.isBound = true
            let refusal = await #expect(throws: AuthError.self) { try await auth.link(credential: credential).value }
            #expect(refusal?.code == .verificationRequired && refusal?.serverCode == "email_not_confirmed")
            let user = try await auth.reload().value
            #expect(user.id == guest.id && user.email == SupabaseVisit.address && !user.isEmailVerified)
            #expect(user.providers.map(\.id) == [.google])
            visit.clock.advance(by: .seconds(60))
            try await auth.sendEmailVerification()
            #expect(visit.supabase.messages.map(\.kind) == [.emailVerification, .emailVerification])
            #expect(visit.supabase.messages.last?.recipient == SupabaseVisit.address)

            // The person opens the mail on another device.
            let body: AuthJSON = [
                "type": "email", "email": .string(SupabaseVisit.address), "token": .string(try visit.lastCode.reveal()),
            ]
            let request = AuthHTTPRequest(
                .post, visit.backend.emulator.url(for: "https://authstreams.supabase.co/auth/v1/verify"),
                headers: [
                    "apikey": visit.backend.emulator.configuration.supabase.key, .contentType: "application/json",
                ],
                body: try JSONEncoder().encode(body))
            #expect(try await visit.backend.transport.send(request).isSuccess)
            #expect(try await auth.reload().value.isEmailVerified)
            visit.clock.advance(by: .seconds(60))
            try await auth.sendEmailVerification()
            #expect(visit.supabase.messages.count == 2)
        }
    }
}
