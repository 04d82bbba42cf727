import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The tests of the OpenID Foundation's conformance suite for clients, under their names: the emulated issuer misbehaves
/// in one way, and the client signs in or refuses.
///
/// The suite also has tests of what this client does not offer: other flows than the code flow (`-athash`, `-chash`,
/// `-nonce-unless-code-flow`) and answers by a posted form; request objects and the parameter `claims`
/// (`-request-uri-…`); WebFinger (`-discovery-webfinger-…`) and dynamic registration (`-dynamic-registration`); encrypted
/// tokens, and user information that is signed or encrypted (`-userinfo-signed`); an access token in the body
/// (`-userinfo-bearer-body`); authentication by `client_secret_jwt`; DPoP and mutual TLS; sign-in that
/// another site begins (`-3rd-party-init-login`); and logging out in the background or in a frame, which a server or a
/// web page receives.
@MainActor
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable)) struct OpenIDConformanceTests {
    nonisolated static let rows: [ConformanceRow] = [
        ConformanceRow.basic, ConformanceRow.config, ConformanceRow.further, ConformanceRow.logOut, ConformanceRow.fapi,
    ].flatMap { $0 }

    nonisolated static let cases: [(ConformanceRow, OpenIDProvider.Redeemer)] = rows.flatMap { row in
        row.redeemers.map { (row, $0) }
    }

    /// A client that refuses asks for no user information afterwards, and signs in once the issuer behaves.
    @Test(arguments: cases) func clientPassesTheTestOfThatName(
        row: ConformanceRow, redeemer: OpenIDProvider.Redeemer
    ) async throws {
        var configuration = EmulatorConfiguration(at: ManualClock())
        row.configure(&configuration.issuer)
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(
                at: emulator, redeemer: redeemer, authentication: row.authentication, sharedSecret: row.sharedSecret)
            let session = row.act == .signIn ? nil : try await client.session()
            row.misbehave(emulator)
            let before = emulator.journal.entries.count
            let result = await client.result(of: row.act, session)

            if let refusal = row.refusal {
                #expect(result.failure?.code == refusal)
                for endpoint in row.unasked { #expect(emulator.count(of: endpoint, after: before) == 0) }
                emulator.clearFaults()
                try await client.expectSignIn()
            } else {
                try expectUser(try result.get(), redeemer)
                if row.act == .signIn {
                    let isAsked = redeemer == .repository
                    #expect(emulator.count(of: .issuerUserInfo, after: before) == (isAsked ? 1 : 0))
                }
                if let change = row.change {
                    change(emulator)
                    try expectUser(try await client.signIn(), redeemer)
                }
                #expect(emulator.router.faults.count == 0, "The issuer misbehaved.")
            }
        }
    }

    private func expectUser(_ user: AuthUser, _ redeemer: OpenIDProvider.Redeemer) throws {
        #expect(user.id == IssuerClient.user.id)
        if redeemer == .repository {
            #expect(user.email == IssuerClient.user.email && user.displayName == IssuerClient.user.name)
        }
    }

    @Test func everyTestHasOneRow() {
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
    }
}

extension IssuerClient {
    /// Carries an act out, and returns the user of it.
    fileprivate func result(of act: ConformanceRow.Act, _ session: AuthSession?) async -> Result<AuthUser, AuthError> {
        do throws(AuthError) {
            guard let session else { return await signInResult() }
            if act == .refresh { return .success(try await repository.refresh(session).user) }
            try await repository.signOut(session)
            try await logOut()
            return .success(session.user)
        } catch {
            return .failure(error)
        }
    }
}
