import AuthStreams
import AuthStreamsOAuth
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// What Apple's sheet is asked for, and what its answer becomes.
@MainActor
@Suite(.appleDevice) struct AppleProviderTests {
    @Test func requestHasTheHashedNonceAndTheCredentialTheRawOne() async throws {
        let app = SheetFixture()
        var asked: ASAuthorizationAppleIDRequest?
        let credential = try await app.result { attempt in
            asked = attempt.request
            attempt.succeed(with: attempt.credential())
        }.get()

        let raw = try #require(credential.rawNonce).reveal()
        #expect(raw.utf8.count == 43 && asked?.nonce == SHA256.hex(raw))
        #expect(asked?.state?.isEmpty == false && asked?.state != raw && asked?.state != asked?.nonce)
        #expect(app.steps.withLock { $0 } == [.presenting])
    }

    @Test func credentialHasTokenCodeUserAndStatus() async throws {
        var token = Data()
        let credential = try await SheetFixture().result { attempt in
            let answer = attempt.credential(claims: ["transfer_sub": "old-team-id", "real_user_status": 2])
            token = answer.identityToken ?? Data()
            attempt.succeed(with: answer)
        }.get()

        #expect(credential.provider == .apple && credential.isBound)
        #expect(credential.idToken == Secret(String(decoding: token, as: UTF8.self)))
        #expect(credential.idToken.flatMap { JSONWebToken($0) }?.claims["transfer_sub"] == "old-team-id")
        // Without a redirect URI, as the native flow has none.
        #expect(credential.authorizationCode == Credential.AuthorizationCode(code: Secret("one-time-code")))
        #expect(credential.userID == SheetFixture.user && credential.realUserStatus == .likelyReal)
        #expect(credential.profile == nil && credential.accessToken == nil)
    }

    @Test(arguments: [
        (ASUserDetectionStatus.unsupported, Credential.RealUserStatus.unsupported), (.unknown, .unknown),
        (.likelyReal, .likelyReal),
    ])
    func everyStatusIsHandedOn(status: ASUserDetectionStatus, expected: Credential.RealUserStatus) async throws {
        let credential = try await SheetFixture().result { $0.succeed(with: $0.credential(status: status)) }.get()
        #expect(credential.realUserStatus == expected)
    }

    @Test func firstTimeProfileIsHandedOnWithoutEmptyParts() async throws {
        let app = SheetFixture()
        let first = try await app.result {
            $0.succeed(with: $0.credential(givenName: "민지", familyName: "", email: "minji@example.com"))
        }.get()
        #expect(first.profile == Credential.Profile(name: PersonName(givenName: "민지"), email: "minji@example.com"))
        let later = try await app.result { $0.succeed(with: $0.credential(givenName: "", familyName: "")) }.get()
        #expect(later.profile == nil)
    }

    @Test(arguments: [(nil, "Morgan", "Morgan"), ("Al\0ex\n", " Morgan ", "Alex Morgan"), ("민지", "김", "김민지")])
    func nameIsCleanedAndInItsOrder(given: String?, family: String?, shown: String) async throws {
        let credential = try await SheetFixture().result {
            $0.succeed(with: $0.credential(givenName: given, familyName: family))
        }.get()
        #expect(credential.profile?.name?.displayName == shown && credential.profile?.email == nil)
    }

    @Test(
        arguments: [
            (["is_private_email": "true"], true), (["is_private_email": false], false),
            (["email": "x7@privaterelay.appleid.com"], true), ([:], nil),
        ] as [([String: AuthJSON], Bool?)])
    func whetherTheAddressIsARelayIsToldByTheToken(claims: [String: AuthJSON], isPrivate: Bool?) async throws {
        let credential = try await SheetFixture().result { $0.succeed(with: $0.credential(claims: claims)) }.get()
        #expect(credential.isPrivateEmail == isPrivate)
    }

    @Test func eachAttemptHasSecretsOfItsOwn() async throws {
        let app = SheetFixture()
        var seen: Set<String?> = []
        for _ in 0..<2 {
            let result = await app.result { attempt in
                seen.formUnion([attempt.request?.state, attempt.request?.nonce])
                attempt.succeed(with: attempt.credential())
            }
            seen.insert(try result.get().rawNonce?.reveal())
        }
        #expect(seen.count == 6 && !seen.contains(nil))
    }

    @Test(
        arguments: [
            ([], [], []), ([.email], [], [.email]), ([.name], ["email"], [.fullName, .email]),
            ([.name, .email], ["name"], [.fullName, .email]),
        ] as [([AppleProvider.Scope], [String], Set<ASAuthorization.Scope>)])
    func scopesAreThoseOfTheProviderAndTheRequest(
        configured: [AppleProvider.Scope], extra: [String], asked: Set<ASAuthorization.Scope>
    ) async throws {
        let app = SheetFixture()
        app.apple = AppleProvider(scopes: configured)
        var request = app.request
        request.extraScopes = extra
        _ = try await app.result(request) { attempt in
            let scopes = attempt.request?.requestedScopes ?? []
            #expect(Set(scopes) == asked && scopes.count == asked.count)
            attempt.succeed(with: attempt.credential())
        }.get()
    }

    @Test func sheetIsPresentedInTheWindowOfTheRequest() async throws {
        let (app, other) = (SheetFixture(), AppleDevice.App.connect().windows.first)
        _ = try await app.result { attempt in
            #expect(attempt.anchor === app.window && attempt.anchor !== other)
            attempt.succeed(with: attempt.credential())
        }.get()
    }

    @Test func withoutAWindowInTheRequestTheKeyWindowIsUsed() async throws {
        let app = SheetFixture()
        _ = try await app.result(AuthRequest()) { attempt in
            #expect(attempt.anchor === app.window)
            attempt.succeed(with: attempt.credential())
        }.get()
    }

    /// The sheets that are shown from now on. Each fails at once, so that its attempt ends.
    private func failingSheets() -> Record<AppleDevice.AppleID.Attempt> {
        let sheets = Record<AppleDevice.AppleID.Attempt>()
        AppleDevice.AppleID.answer = { attempt in
            sheets.elements.append(attempt)
            attempt.fail(UnexpectedSheet())
        }
        return sheets
    }

    @Test func withoutAWindowNothingIsAsked() async {
        let (app, sheets) = (SheetFixture(), failingSheets())
        // Nothing else holds it.
        let request = AuthRequest(presentation: .in(NSObject()))
        #expect(await app.begin(request).value.code == .presentationUnavailable)
        #expect(sheets.elements.isEmpty)
    }

    @Test func otherMethodKindsAndScopesAreRefusedBeforeAnythingIsShown() async {
        let (app, sheets) = (SheetFixture(), failingSheets())
        var (byPage, withScope) = (app.request, app.request)
        byPage.methodKind = .web
        withScope.extraScopes = ["phone"]
        #expect(await app.begin(byPage).value.code == .unsupportedProvider)
        #expect(await app.begin(withScope).value.code == .misconfigured)
        #expect(app.steps.withLock { $0 }.isEmpty && sheets.elements.isEmpty)
    }

    @Test func nothingIsShownBeforeTheStreamIsIterated() async throws {
        let app = SheetFixture()
        let unread = app.apple.authenticate(app.request)
        var shown = 0
        AppleDevice.AppleID.answer = { attempt in
            shown += 1
            attempt.succeed(with: attempt.credential())
        }
        _ = try await app.apple.authenticate(app.request).value
        #expect(shown == 1)
        _ = unread
    }
}
