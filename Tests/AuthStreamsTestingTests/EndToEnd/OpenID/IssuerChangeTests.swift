import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// An issuer whose metadata, keys and answers change while a person signs in.
@MainActor
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable)) struct IssuerChangeTests {
    nonisolated static let redeemers = [OpenIDProvider.Redeemer.app, .repository]

    private let clock = ManualClock()

    private var configuration: EmulatorConfiguration { EmulatorConfiguration(at: clock) }

    // MARK: Metadata

    /// The metadata are fetched again while the page is open, and name another issuer.
    @Test(arguments: redeemers) func metadataThatBecomeAnotherIssuersEndTheSignIn(
        redeemer: OpenIDProvider.Redeemer
    ) async throws {
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            let fault = EmulatorFault.onArrival { [clock] in
                clock.advance(by: .seconds(301))
                emulator.inject(.changedMembers { $0["issuer"] = "https://issuer.invalid" }, at: .issuerMetadata)
            }
            emulator.inject(fault, at: .issuerAuthorize)
            let error = await #expect(throws: AuthError.self) { try await client.signIn() }
            #expect(error?.code == .issuerMismatch)
            #expect(emulator.count(of: .issuerMetadata) == 2 && emulator.count(of: .issuerToken) == 0)
            try await client.expectSignIn()
        }
    }

    /// Another token endpoint is used once the metadata are stale, and not before.
    @Test(arguments: redeemers, [(299, 1), (301, 2)]) func metadataOfOneSignInStayUntilTheyAreStale(
        redeemer: OpenIDProvider.Redeemer, row: (seconds: Int64, count: Int)
    ) async throws {
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            let fault = EmulatorFault.onArrival { [clock] in
                clock.advance(by: .seconds(row.seconds))
                let elsewhere = AuthJSON.string(emulator.baseURL.absoluteString + "/id.pulseboard.example/elsewhere")
                emulator.inject(.changedMembers { $0["token_endpoint"] = elsewhere }, at: .issuerMetadata)
            }
            emulator.inject(fault, at: .issuerAuthorize)
            let result = await client.signInResult()
            #expect(emulator.count(of: .issuerMetadata) == row.count)
            if row.count == 1 {
                #expect(result.user?.id == IssuerClient.user.id)
            } else {
                #expect(result.failure?.code == .invalidResponse)
                #expect(emulator.count(of: "id.pulseboard.example/elsewhere") == 1)
            }
        }
    }

    /// The keys of the earlier place are not those of the next.
    @Test(arguments: redeemers) func keysThatMoveWhileThePageIsOpenAreFound(
        redeemer: OpenIDProvider.Redeemer
    ) async throws {
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            try await client.expectSignIn()
            let fault = EmulatorFault.onArrival { [clock] in
                clock.advance(by: .seconds(301))
                emulator.issuer.moveKeys(to: "/other/keys")
                emulator.issuer.rotateKeys(keepsEarlier: false)
            }
            emulator.inject(fault, at: .issuerAuthorize)
            try await client.expectSignIn()
            #expect(emulator.count(of: .issuerKeys) == 1)
            #expect(emulator.count(of: "id.pulseboard.example/other/keys") == 1)
        }
    }

    // MARK: Keys

    /// The key that signed the token is withdrawn before the client asks for it.
    @Test(arguments: redeemers) func tokenOfAKeyThatIsWithdrawnIsRefused(
        redeemer: OpenIDProvider.Redeemer
    ) async throws {
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            emulator.inject(.onArrival { emulator.issuer.rotateKeys(keepsEarlier: false) }, at: .issuerKeys)
            let error = await #expect(throws: AuthError.self) { try await client.signIn() }
            #expect(error?.code == .invalidIDToken && emulator.count(of: .issuerUserInfo) == 0)
            try await client.expectSignIn()
        }
    }

    /// Keys of any number are read if their document is not too large; only the one that a token names is tried.
    @Test(
        arguments: [
            ("AQAB", true, nil), ("AQAB", false, .invalidIDToken),
            (DevelopmentKeys.secondRSAModulus, true, .invalidResponse),
        ] as [(String, Bool, AuthError.Code?)], redeemers)
    func setOfTenThousandKeysEndsAtOnce(
        row: (modulus: String, isNamed: Bool, refusal: AuthError.Code?), redeemer: OpenIDProvider.Redeemer
    ) async throws {
        let others = (1..<10_000).map { number in
            AuthJSON.object(["kty": "RSA", "kid": .string("\(number)"), "n": .string(row.modulus), "e": "AQAB"])
        }
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            emulator.inject(
                .changedMembers { $0["keys"] = .array(others + ($0["keys"]?.array ?? [])) }, at: .issuerKeys)
            if !row.isNamed { emulator.inject(.changedIDToken { $0.header["kid"] = nil }, at: .issuerToken) }
            let result = await client.signInResult()
            #expect(result.failure?.code == row.refusal)
            #expect(emulator.count(of: .issuerKeys) == 1)
            #expect(result.user?.id == (row.refusal == nil ? IssuerClient.user.id : nil))
        }
    }

    // MARK: Answers

    /// RFC 6749 section 5.1 requires the member, and some servers leave it out.
    @Test(arguments: redeemers) func answerWithoutATokenTypeSignsIn(redeemer: OpenIDProvider.Redeemer) async throws {
        try await withEmulator(configuration) { emulator in
            emulator.inject(.changedMembers { $0["token_type"] = nil }, at: .issuerToken)
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            try await client.expectSignIn()
        }
    }

    /// OpenID Connect Core section 5.3.2.
    /// No time passes between them.
    @Test(arguments: redeemers) func eachOfSeveralRotationsIsNoticed(redeemer: OpenIDProvider.Redeemer) async throws {
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            for _ in 0..<3 {
                try await client.expectSignIn()
                emulator.issuer.rotateKeys(keepsEarlier: false)
            }
            try await client.expectSignIn()
            #expect(emulator.count(of: .issuerKeys) == 4)
        }
    }

    @Test func userInformationWithoutASubjectIsLeftOut() async throws {
        try await withEmulator(configuration) { emulator in
            emulator.inject(
                .changedMembers { ($0["sub"], $0["name"]) = (nil, "Changed") }, at: .issuerUserInfo)
            let user = try await IssuerClient(at: emulator).signIn()
            #expect(user.id == IssuerClient.user.id && user.displayName != "Changed")
            #expect(emulator.count(of: .issuerUserInfo) == 1)
        }
    }
}
