import Testing

@testable import AuthStreams

/// What the server's no means for the person.
@Suite struct SignOutReasonTests {
    static let reasons: [(AuthError.Code, String?, SignOutReason?)] = [
        (.userNotFound, nil, .deleted), (.userDisabled, nil, .disabled), (.sessionExpired, nil, .expired),
        (.sessionExpired, "session-revoked", .revoked), (.sessionExpired, "revoked-at-provider", .revokedAtProvider),
        (.sessionExpired, "refresh-token-reused", .expired), (.sessionExpired, "unheard-of", .expired),
        (.sessionExpired, "TOKEN_EXPIRED", .revoked), (.sessionExpired, "INVALID_REFRESH_TOKEN", .expired),
        // The code comes first: what ends no session ends none, whatever it is called.
        (.server, "session-revoked", nil), (.network, nil, nil), (.invalidCredential, "revoked-at-provider", nil),
        (.userDisabled, "session-revoked", .disabled), (.cancelled, nil, nil), (.rateLimited, nil, nil),
    ]

    @Test(arguments: reasons) func aRefusalHasItsReason(
        code: AuthError.Code, serverCode: String?, reason: SignOutReason?
    ) {
        #expect(SignOutReason(definiteNo: AuthError(code, "No.", serverCode: serverCode)) == reason)
    }

    @Test func onlyTheThreeDefiniteNosEndASession() {
        let ending = AuthError.Code.allKnown.filter { SignOutReason(definiteNo: AuthError($0, "No.")) != nil }
        #expect(Set(ending) == [.userNotFound, .userDisabled, .sessionExpired])
    }
}
