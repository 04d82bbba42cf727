import AuthStreams
import AuthStreamsOAuth
import TestSupport

@testable import AuthStreamsTesting

extension ConformanceRow {
    /// The basic plan: `oidcc-client-basic-certification-test-plan`, with the test of the field `Authorization` that its
    /// predecessor also had.
    static let basic: [ConformanceRow] = [
        .accepts("oidcc-client-test", earlier: "rp-response_type-code"),
        .refuses(
            "oidcc-client-test-invalid-iss", earlier: "rp-id_token-issuer-mismatch", with: .issuerMismatch, .wrongIssuer
        ),
        .refuses(
            "oidcc-client-test-missing-sub", earlier: "rp-id_token-sub", with: .invalidIDToken,
            .changedIDToken { $0.claims["sub"] = nil }),
        .refuses(
            "oidcc-client-test-invalid-aud", earlier: "rp-id_token-aud", with: .invalidIDToken, .wrongAudience),
        .refuses(
            "oidcc-client-test-missing-iat", earlier: "rp-id_token-iat", with: .invalidIDToken,
            .changedIDToken { $0.claims["iat"] = nil }),
        .accepts(
            "oidcc-client-test-kid-absent-single-jwks", earlier: "rp-id_token-kid-absent-single-jwks",
            .changedIDToken { $0.header["kid"] = nil }),
        // The test also lets a client try every key.
        .refuses(
            "oidcc-client-test-kid-absent-multiple-jwks", earlier: "rp-id_token-kid-absent-multiple-jwks",
            with: .invalidIDToken, .changedIDToken { $0.header["kid"] = nil }
        ).with { row in
            row.misbehave = { [misbehave = row.misbehave] emulator in
                emulator.issuer.rotateKeys()
                misbehave(emulator)
            }
        },
        .accepts("oidcc-client-test-idtoken-sig-rs256", earlier: "rp-id_token-sig-rs256"),
        .refuses(
            "oidcc-client-test-idtoken-sig-none", earlier: "rp-id_token-sig-none", with: .invalidIDToken, .unsignedToken
        ),
        .refuses(
            "oidcc-client-test-invalid-sig-rs256", earlier: "rp-id_token-bad-sig-rs256", with: .invalidIDToken,
            .wrongSignature),
        .refuses(
            "oidcc-client-test-userinfo-invalid-sub", earlier: "rp-userinfo-bad-sub-claim", with: .invalidResponse,
            at: .issuerUserInfo, .changedMembers { $0["sub"] = "f3b7c1de-0002" }
        ).with { row in
            row.redeemers = [.repository]
            row.unasked = []
        },
        .refuses("oidcc-client-test-nonce-invalid", earlier: "rp-nonce-invalid", with: .nonceMismatch, .wrongNonce),
        // The ID token has no claims about the person, so that they come from the user information.
        .accepts(
            "oidcc-client-test-scope-userinfo-claims", earlier: "rp-scope-userinfo-claims",
            .changedIDToken { draft in
                for name in ["email", "email_verified", "name", "picture"] { draft.claims[name] = nil }
            }),
        .accepts("oidcc-client-test-client-secret-basic", earlier: "rp-token_endpoint-client_secret_basic").with {
            row in
            row.configure = { $0.authentication = .basic(secret: "a:secret") }
            row.authentication = .basic(Secret("a:secret"))
        },
        // The issuer reads the access token of no other place.
        .accepts("oidcc-client-test-userinfo-bearer-header", earlier: "rp-userinfo-bearer-header").with { row in
            row.redeemers = [.repository]
        },
    ]

    /// The configuration plan: `oidcc-client-config-certification-test-plan`. Its test `idtoken-sig-none` is that of the
    /// basic plan.
    static let config: [ConformanceRow] = [
        .accepts(
            "oidcc-client-test-discovery-openid-config", earlier: "rp-discovery-openid-configuration",
            at: .issuerMetadata, .onArrival {}),
        .accepts("oidcc-client-test-discovery-jwks-uri-keys", earlier: "rp-discovery-jwks_uri-keys").with { row in
            row.misbehave = { $0.issuer.moveKeys(to: "/\(GrantStore.random())/keys") }
        },
        .refuses(
            "oidcc-client-test-discovery-issuer-mismatch", earlier: "rp-discovery-issuer-not-matching-config",
            with: .issuerMismatch, at: .issuerMetadata, .changedMembers { $0["issuer"] = "https://issuer.invalid" }
        ).with { $0.unasked = [.issuerAuthorize, .issuerToken, .issuerUserInfo] },
        .accepts("oidcc-client-test-signing-key-rotation", earlier: "rp-key-rotation-op-sign-key").with { row in
            row.change = { $0.issuer.rotateKeys(keepsEarlier: false) }
        },
        // The client has the keys of the first sign-in when the issuer changes them.
        .accepts(
            "oidcc-client-test-signing-key-rotation-just-before-signing", earlier: "rp-key-rotation-op-sign-key-native"
        ).with { row in
            row.change = { emulator in
                emulator.inject(.onArrival { emulator.issuer.rotateKeys(keepsEarlier: false) }, at: .issuerToken)
            }
        },
    ]

    /// Tests of the plan of `oidcc-client-test-plan` that are in neither of those, for the code flow.
    static let further: [ConformanceRow] = [
        .refuses(
            "oidcc-client-test-missing-aud", earlier: nil, with: .invalidIDToken,
            .changedIDToken { $0.claims["aud"] = nil }),
        .accepts("rp-id_token-sig-es256", earlier: nil, .signedByEllipticKey()).with { $0.publishEllipticKey() },
        .refuses(
            "oidcc-client-test-invalid-sig-es256", earlier: "rp-id_token-bad-sig-es256", with: .invalidIDToken,
            .signedByEllipticKey(isForged: true)
        ).with { $0.publishEllipticKey() },
        .accepts("rp-id_token-sig-hs256", earlier: nil, .signedBySecret).with { $0.sharedSecret = clientSecret },
        .refuses(
            "oidcc-client-test-invalid-sig-hs256", earlier: "rp-id_token-bad-sig-hs256", with: .invalidIDToken,
            .signedBySecret
        ).with { $0.sharedSecret = Secret("another secret") },
        .accepts("rp-token_endpoint-client_secret_post", earlier: nil).with { row in
            row.configure = { $0.authentication = .post(secret: "a:secret") }
            row.authentication = .post(Secret("a:secret"))
        },
        .accepts("rp-token_endpoint-private_key_jwt", earlier: nil).with { row in
            row.configure = { $0.authentication = .privateKey }
            row.authentication = .privateKeyJWT { signedAssertion(for: $0) }
        },
        .accepts(
            "oidcc-client-test-aggregated-claims", earlier: "rp-claims-aggregated", at: .issuerUserInfo,
            .changedMembers { members in
                members["_claim_names"] = ["eye_color": "src1"]
                members["_claim_sources"] = ["src1": ["JWT": "e30.e30."]]
            }
        ).with { $0.redeemers = [.repository] },
        .accepts(
            "oidcc-client-test-distributed-claims", earlier: "rp-claims-distributed", at: .issuerUserInfo,
            .changedMembers { members in
                members["_claim_names"] = ["age": "src1"]
                members["_claim_sources"] = ["src1": ["endpoint": "https://claims.invalid", "access_token": "claims"]]
            }
        ).with { $0.redeemers = [.repository] },
        .accepts("oidcc-client-test-refresh-token", earlier: nil).with { $0.refreshes() },
        .refuses("oidcc-client-test-refresh-token-invalid-issuer", earlier: nil, with: .sessionExpired, .wrongIssuer)
            .with { $0.refreshes() },
        .refuses(
            "oidcc-client-test-refresh-token-invalid-sub", earlier: nil, with: .sessionExpired,
            .changedIDToken { $0.claims["sub"] = "f3b7c1de-0002" }
        ).with { $0.refreshes() },
    ]

    /// The plan for logging out at the issuer: `oidcc-client-rp-initiated-logout-rp-basic`.
    static let logOut: [ConformanceRow] = [
        .accepts("oidcc-client-test-rp-init-logout", earlier: "rp-init-logout").with { $0.logsOut() },
        .refuses(
            "oidcc-client-test-rp-init-logout-other-state", earlier: "rp-init-logout-other-state", with: .abandoned,
            at: .issuerEndSession, .changedRedirect { $0["state"] = "another-state" }
        ).with { $0.logsOut() },
        .refuses(
            "oidcc-client-test-rp-init-logout-no-state", earlier: "rp-init-logout-no-state", with: .abandoned,
            at: .issuerEndSession, .changedRedirect { $0 = ["unknown": "parameter"] }
        ).with { $0.logsOut() },
    ]

    private static func signedAssertion(for request: ClientAuthentication.AssertionRequest) -> Secret {
        IDTokenSigner.es256.token([
            "iss": .string(request.clientID), "sub": .string(request.clientID),
            "aud": .string(request.issuer ?? ""), "jti": .string(GrantStore.random()), "exp": 1_750_000_300,
        ])
    }

    fileprivate static let clientSecret = Secret("a-client-secret-of-more-than-32-bytes")

    private mutating func refreshes() {
        act = .refresh
        redeemers = [.repository]
    }

    private mutating func logsOut() {
        act = .logOut
        redeemers = [.repository]
    }

    /// Lets the issuer publish its elliptic key beside the other.
    private mutating func publishEllipticKey() {
        misbehave = { [misbehave] emulator in
            misbehave(emulator)
            let key = DevelopmentKeys.ellipticPublicKey(id: "ec")
            emulator.inject(
                .changedMembers { $0["keys"] = .array(($0["keys"]?.array ?? []) + [key]) }, at: .issuerKeys)
        }
    }
}

extension EmulatorFault {
    fileprivate static func signedByEllipticKey(isForged: Bool = false) -> Self {
        .changedIDToken { draft in
            draft.header = ["alg": "ES256", "kid": "ec"]
            draft.isForged = isForged
        }
    }

    fileprivate static var signedBySecret: Self {
        .changedIDToken { draft in
            draft.header = ["alg": "HS256"]
            draft.sharedSecret = ConformanceRow.clientSecret
        }
    }
}
