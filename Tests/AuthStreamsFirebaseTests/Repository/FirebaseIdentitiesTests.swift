import AuthStreams
import AuthStreamsFirebase
import Testing

/// Which providers a user has, those included that Firebase does not know.
@Suite struct FirebaseIdentitiesTests {
    private func providers(
        of userID: String, claims: [String: AuthJSON] = [:], known: String = "[]",
        routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
    ) async throws -> [AuthUser.LinkedProvider] {
        let transport = ScriptedTransport(
            Fixture.signedIn(idToken: Fixture.idToken(claims, of: userID), user: nil),
            .json(#"{"users":[{"localId":"\#(userID)","providerUserInfo":\#(known)}]}"#))
        let repository = FirebaseRepository(
            project: Fixture.project, routes: routes, transport: transport, clock: Fixture.clock)
        return try await repository.signIn(with: Fixture.google).user.providers
    }

    @Test func aFunctionsUserHasTheIdentityOfTheUID() async throws {
        #expect(try await providers(of: "kakao:1001") == [.init(id: .kakao, userID: "1001")])
        #expect(try await providers(of: "kakao:a:b") == [.init(id: .kakao, userID: "a:b")])
        // No provider of a function, or no such form.
        for uid in ["google.com:1", "line:1", "kakao:", ":1", "kakao", "uid-1"] {
            #expect(try await providers(of: uid).isEmpty, "\(uid)")
        }
    }

    @Test func aNameOfTheFunctionsOwnIsKnownAgain() async throws {
        let routes: [ProviderID: FirebaseRoute] = [
            .google: .idp,
            .kakao: .customToken(region: .seoul, format: .accessToken(providers: [.kakao: "KAKAO_SDK"])),
        ]
        #expect(try await providers(of: "KAKAO_SDK:7", routes: routes) == [.init(id: .kakao, userID: "7")])
    }

    @Test func whatAFunctionLinkedStandsBesideWhatFirebaseKnows() async throws {
        let claims: [String: AuthJSON] = ["identities": ["naver": "n-1", "kakao": "1001", "google.com": "no", "x": 1]]
        #expect(
            try await providers(
                of: "uid-1", claims: claims, known: #"[{"providerId":"google.com","rawId":"g"}]"#)
                == [
                    .init(id: .google, userID: "g"), .init(id: .kakao, userID: "1001"),
                    .init(id: .naver, userID: "n-1"),
                ])
        #expect(try await providers(of: "uid-1", claims: ["identities": "none"]).isEmpty)
    }

    @Test func aRefreshBringsWhatAFunctionHasLinkedUpToDate() async throws {
        func next(after claims: [String: AuthJSON], from session: AuthSession) async throws -> AuthSession {
            let transport = ScriptedTransport(.json(#"{"id_token":"\#(Fixture.idToken(claims))"}"#))
            let repository = FirebaseRepository(
                project: Fixture.project, routes: .standard(functionsIn: .seoul), transport: transport,
                clock: Fixture.clock)
            return try await repository.refresh(session)
        }
        var session = Fixture.session
        session.user.providers = [.init(id: .google, userID: "g")]
        session = try await next(after: ["identities": ["kakao": "1001"]], from: session)
        #expect(session.user.providers == [.init(id: .google, userID: "g"), .init(id: .kakao, userID: "1001")])
        session = try await next(after: ["identities": ["naver": "n"]], from: session)
        #expect(session.user.providers == [.init(id: .google, userID: "g"), .init(id: .naver, userID: "n")])
        session = try await next(after: [:], from: session)
        #expect(session.user.providers == [.init(id: .google, userID: "g")])
    }

    @Test func aProviderIsCalledAsInItsRoute() async throws {
        var routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
        routes["line"] = .idp(as: "oidc.line")
        let known = #"[{"providerId":"oidc.line","rawId":"l"},{"providerId":"oidc.other","rawId":"o"}]"#
        #expect(
            try await providers(of: "uid-1", known: known, routes: routes)
                == [.init(id: "line", userID: "l"), .init(id: "oidc.other", userID: "o")])
    }
}
