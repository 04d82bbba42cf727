import AuthStreams
import TestSupport

@testable import AuthStreamsTesting

extension ConformanceRow {
    /// Tests of `fapi2-security-profile-final-client-test-plan` for what a client of OpenID Connect also does, beside
    /// those that the other plans have under another name.
    static let fapi: [ConformanceRow] = [
        .refuses(
            fapi("invalid-authorization-response-iss"), earlier: nil, with: .issuerMismatch, at: .issuerConsent,
            .changedRedirect { $0["iss"] = "https://issuer.invalid" }
        ).with { $0.endsAtThePage() },
        .refuses(
            fapi("remove-authorization-response-iss"), earlier: nil, with: .issuerMismatch, at: .issuerConsent,
            .changedRedirect { $0["iss"] = nil }
        ).with { $0.endsAtThePage() },
        .refuses(
            fapi("ensure-authorization-response-with-invalid-state-fails"), earlier: nil, with: .abandoned,
            at: .issuerConsent, .changedRedirect { $0["state"] = "another-state" }
        ).with { $0.endsAtThePage() },
        .refuses(
            fapi("ensure-authorization-response-with-invalid-missing-state-fails"), earlier: nil, with: .abandoned,
            at: .issuerConsent, .changedRedirect { $0["state"] = nil }
        ).with { $0.endsAtThePage() },
        .accepts(
            fapi("token-endpoint-response-without-expires_in"), earlier: nil, .changedMembers { $0["expires_in"] = nil }
        ),
        .accepts(
            fapi("token-type-case-insensitivity"), earlier: nil, .changedMembers { $0["token_type"] = "bEaReR" }),
        .accepts(
            fapi("valid-aud-as-array"), earlier: nil, .changedIDToken { $0.claims["aud"] = ["pulseboard-app"] }),
        .refuses(
            fapi("invalid-secondary-aud"), earlier: nil, with: .invalidIDToken,
            .changedIDToken { $0.claims["aud"] = ["pulseboard-app", "another-app"] }),
        .refuses(fapi("invalid-null-alg"), earlier: nil, with: .invalidIDToken, .unsignedToken),
        .refuses(fapi("invalid-expired-exp"), earlier: nil, with: .invalidIDToken, .expiredToken),
        .refuses(
            fapi("invalid-missing-exp"), earlier: nil, with: .invalidIDToken,
            .changedIDToken { $0.claims["exp"] = nil }),
        .refuses(
            fapi("invalid-missing-aud"), earlier: nil, with: .invalidIDToken,
            .changedIDToken { $0.claims["aud"] = nil }),
        .refuses(
            fapi("invalid-missing-iss"), earlier: nil, with: .issuerMismatch,
            .changedIDToken { $0.claims["iss"] = nil }),
        .refuses(
            fapi("invalid-missing-nonce"), earlier: nil, with: .nonceMismatch,
            .changedIDToken { $0.claims["nonce"] = nil }),
    ]

    private static func fapi(_ name: String) -> String { "fapi2-security-profile-final-client-test-\(name)" }

    /// The answer of the page is refused, so that its code is not redeemed.
    private mutating func endsAtThePage() { unasked = [.issuerToken, .issuerUserInfo] }
}
