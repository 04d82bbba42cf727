import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

/// Functions that exist: their fields, their names for providers, and where their answers have the token.
@Suite struct SocialLoginFormatTests {
    typealias Format = SocialLoginFunction.Format

    private func repository(_ transport: any AuthHTTPTransport, _ route: FirebaseRoute) -> FirebaseRepository {
        FirebaseRepository(
            project: Fixture.project, routes: [.kakao: route, .naver: route], transport: transport, clock: Fixture.clock
        )
    }

    private func answer(_ result: String) -> AuthHTTPResponse { .json(#"{"result":\#(result)}"#) }

    @Test func theAccessTokenFormPicksTheAccessTokenOfACredentialThatHasBoth() async throws {
        let transport = ScriptedTransport(Fixture.functionResult, Fixture.signedIn(user: nil), Fixture.account)
        let route = FirebaseRoute.customToken(region: .seoul, format: .accessToken)
        _ = try await repository(transport, route).signIn(with: Fixture.kakao)
        #expect(
            transport.requests.first?.text
                == #"{"data":{"accessToken":"provider+access/token=","provider":"kakao"}}"#)
    }

    @Test(
        arguments: [
            (
                FirebaseRoute.customToken(function: "login", region: "europe-west1", format: named),
                "https://europe-west1-demo.cloudfunctions.net/login"
            ),
            (
                .customToken(function: "login", at: .domain(URL(literal: "https://api.example/f")), format: named),
                "https://api.example/f/login"
            ),
            (
                .customToken(url: URL(literal: "https://login-abc-du.a.run.app"), format: named),
                "https://login-abc-du.a.run.app"
            ),
        ])
    func aRouteHasNamePlaceAndBodyOfTheFunction(route: FirebaseRoute, url: String) async throws {
        let transport = ScriptedTransport(
            answer(#"{"token":"custom.token+secret"}"#), Fixture.signedIn(user: nil), Fixture.account)
        let session = try await repository(transport, route).signIn(with: Fixture.kakao)
        #expect(session.provider == .kakao)
        #expect(transport.requests.first?.line == "POST \(url)")
        #expect(
            transport.requests.first?.text
                == #"{"data":{"accessToken":"provider+access/token=","provider":"KAKAO"}}"#)
        #expect(transport.requests.dropFirst().first?.json?["token"] == .string(Fixture.customToken))
    }

    static let named = SocialLoginFunction.Format.accessToken(providers: [.kakao: "KAKAO"], answer: .member("token"))

    @Test func theStandardRoutesTakeNameAndFormat() async throws {
        let transport = ScriptedTransport(answer(#"{"token":"t"}"#), Fixture.signedIn(user: nil), Fixture.account)
        let repository = FirebaseRepository(
            project: Fixture.project, routes: .standard(functionsIn: .seoul, function: "login", format: Self.named),
            transport: transport, clock: Fixture.clock)
        _ = try await repository.signIn(with: Fixture.kakao)
        #expect(transport.requests.first?.line == "POST https://asia-northeast3-demo.cloudfunctions.net/login")
        #expect(transport.requests.first?.json?["data"]?["provider"] == "KAKAO")
    }

    @Test func everyFieldHasASettableName() throws {
        var format = Format.standard
        format.provider = "p"
        format.idToken = "id_token"
        format.nonce = "raw_nonce"
        format.accessToken = "access_token"
        format.code = "auth_code"
        format.state = "csrf"
        format.redirectURI = "redirect_uri"
        format.codeVerifier = "verifier"
        #expect(
            try format.fields(for: Fixture.kakao)
                == [
                    "p": "kakao", "id_token": Fixture.providerToken, "raw_nonce": Fixture.nonce,
                    "access_token": Fixture.accessToken,
                ])
        var naver = Fixture.naver
        naver.authorizationCode?.codeVerifier = Secret(Fixture.verifier)
        #expect(
            try format.fields(for: naver) == [
                "p": "naver", "auth_code": Fixture.code, "csrf": "state+1", "redirect_uri": "demo://authorize?x=1",
                "verifier": Fixture.verifier,
            ])
        format.provider = nil
        format.nonce = nil
        format.accessToken = nil
        #expect(try format.fields(for: Fixture.kakao) == ["id_token": Fixture.providerToken])
    }

    /// With it the function looks the person up at Kakao; no other provider's token is needed for that.
    @Test func onlyKakaosIDTokenTakesTheAccessTokenAlong() throws {
        #expect(try Format.standard.fields(for: Fixture.kakao)["accessToken"] == Fixture.accessToken)
        var withoutAccessToken = Fixture.kakao
        withoutAccessToken.accessToken = nil
        #expect(try Format.standard.fields(for: withoutAccessToken)["idToken"] == Fixture.providerToken)
        #expect(try Format.standard.fields(for: Fixture.google)["accessToken"] == nil)
    }

    @Test func aNaverCodeIsNoAccessTokenAndTheErrorSaysWhatToChange() async throws {
        let credential = Credential(provider: .naver, authorizationCode: .init(code: Secret(Fixture.code)))
        let repository = repository(ScriptedTransport(), .customToken(region: .seoul, format: .accessToken))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: credential) }
        #expect(error.code == .invalidCredential)
        #expect(error.provider == .naver)
        for word in ["'code'", "'state'", "'redirectURI'", ".standard"] { #expect(error.explanation.contains(word)) }
        #expect(!error.debugDescription.contains(Fixture.code))
    }

    @Test func whatACredentialLacksIsSaidBeforeAnyRequest() async throws {
        var idTokenOnly = Format.standard
        idTokenOnly.accessToken = nil
        let lacking: [(Format, Credential, String)] = [
            (
                .accessToken, Credential(provider: .kakao, idToken: Secret("t"), rawNonce: Secret("n")),
                "no access token"
            ),
            (idTokenOnly, Credential(provider: .kakao, accessToken: Secret("t")), "OpenID Connect"),
            (.accessToken, Credential(provider: "line", idToken: Secret("t")), "none of the tokens"),
        ]
        for (format, credential, word) in lacking {
            let error = try await failure { () throws(AuthError) in try format.fields(for: credential) }
            #expect(error.code == .invalidCredential)
            #expect(error.explanation.contains(word))
        }
    }

    @Test(arguments: ["", "accessToken"])
    func aFormatThatNamesNothingOrOneThingTwiceIsAMisconfiguration(name: String) async throws {
        var format = Format.standard
        format.idToken = name
        let error = try await failure { () throws(AuthError) in try format.fields(for: Fixture.kakao) }
        #expect(error.code == .misconfigured)
    }

    @Test(arguments: [
        (Format.Answer.string, #""t""#), (.member("token"), #"{"token":"t","expires":1}"#),
        (.member("data", "token"), #"{"data":{"token":"t"}}"#),
    ])
    func theTokenIsWhereTheAnswerSays(place: Format.Answer, result: String) async throws {
        var format = Format.standard
        format.answer = place
        let source = SocialLoginFunction(
            CallableFunctions(project: Fixture.project, transport: ScriptedTransport(answer(result))), format: format)
        #expect(try await source.customToken(for: Fixture.kakao) == Secret("t"))
        let native = try JSONSerialization.jsonObject(with: Data(result.utf8), options: .fragmentsAllowed)
        #expect(try format.customToken(in: native) == Secret("t"))
    }

    @Test(arguments: [
        (Format.Answer.string, #"{"customToken":"leaked-token"}"#, "no string"), (.string, #""""#, "no string"),
        (.member("token"), #"{"customToken":"leaked-token"}"#, "'token'"),
        (.member("token"), #""leaked-token""#, "'token'"),
        (.member("data", "token"), #"{"data":"leaked-token"}"#, "'data.token'"), (.member("token"), "null", "'token'"),
    ])
    func aTokenElsewhereIsToldWithoutTheToken(place: Format.Answer, result: String, word: String) async throws {
        var format = Format.standard
        format.answer = place
        let source = SocialLoginFunction(
            CallableFunctions(project: Fixture.project, transport: ScriptedTransport(answer(result))), format: format)
        let error = try await failure { () throws(AuthError) in try await source.customToken(for: Fixture.kakao) }
        #expect(error.code == .invalidCustomToken)
        #expect(error.explanation.contains(word))
        #expect(!error.debugDescription.contains("leaked-token"))
        let native = try JSONSerialization.jsonObject(with: Data(result.utf8), options: .fragmentsAllowed)
        #expect(try await failure { () throws(AuthError) in try format.customToken(in: native) } == error)
    }
}
