import AuthStreams
import AuthStreamsOAuth
import Foundation
import LoopbackHTTP

/// A provider as the example app's own server signs people in with it.
struct TriedProvider {
    let name: String
    /// Its name in paths, such as `kakao`.
    let id: String
    let client: (id: String, secret: @Sendable (Date) -> String?)
    let authorization: String
    let token: String
    var parameters: [(name: String, value: String)] = []
    /// Whether it takes the challenge of PKCE.
    var takesChallenge = true
    /// Where the profile is; `nil` if it is in the ID token.
    var profile: String?

    static func all(for configuration: EmulatorConfiguration) -> [TriedProvider] {
        let (apple, google) = (configuration.apple, configuration.google.web)
        let (kakao, naver) = (configuration.kakao, configuration.naver)
        return [
            TriedProvider(
                name: "Apple", id: "apple",
                client: (apple.servicesID, { apple.clientSecret(for: apple.servicesID, now: $0) }),
                authorization: "https://appleid.apple.com/auth/authorize",
                token: "https://appleid.apple.com/auth/token",
                parameters: [("scope", "name email"), ("response_mode", "form_post")], takesChallenge: false),
            TriedProvider(
                name: "Google", id: "google", client: (google.id, { _ in google.secret }),
                authorization: "https://accounts.google.com/o/oauth2/v2/auth",
                token: "https://oauth2.googleapis.com/token", parameters: [("scope", "openid email profile")]),
            TriedProvider(
                name: "Kakao", id: "kakao", client: (kakao.restAPIKey, { _ in kakao.restSecret }),
                authorization: "https://kauth.kakao.com/oauth/authorize", token: "https://kauth.kakao.com/oauth/token",
                profile: "https://kapi.kakao.com/v2/user/me"),
            TriedProvider(
                name: "Naver", id: "naver", client: (naver.clientID, { _ in naver.clientSecret }),
                authorization: "https://nid.naver.com/oauth2.0/authorize",
                token: "https://nid.naver.com/oauth2.0/token", takesChallenge: false,
                profile: "https://openapi.naver.com/v1/nid/me"),
        ]
    }
}

/// The example app's own server: it signs in by each provider as an app's server does, and shows what the app would get.
struct AppServer: EmulatorService {
    static let host = "app.example"

    /// A sign-in that has begun.
    private struct Attempt {
        let provider: String
        let language: PageLanguage
        let nonce = GrantStore.random()
        let verifier = GrantStore.random()
    }

    let hosts = [AppServer.host]
    /// The attempts by their `state`.
    private let attempts = Lock(KeyedStore<Attempt>("attempt", limit: EmulatorLimit.signIns))

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let path = request.path.split(separator: "/").map(String.init)
        guard ["GET", "POST"].contains(request.method), let name = path.last,
            let provider = TriedProvider.all(for: context.configuration).first(where: { $0.id == name })
        else { return nil }
        return switch path.dropLast() {
        case []: await end(provider, request.query.merged(with: request.form), request, context)
        case ["try"]: begin(provider, in: Self.language(of: request), context)
        default: nil
        }
    }

    private static func language(of request: EmulatorRequest) -> PageLanguage {
        PageLanguage(chosen: request.query["lang"], accepted: request.header("Accept-Language"))
    }

    private func begin(
        _ provider: TriedProvider, in language: PageLanguage, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let attempt = Attempt(provider: provider.id, language: language)
        var parameters = [
            (name: "response_type", value: "code"), (name: "client_id", value: provider.client.id),
            (name: "redirect_uri", value: redirectURI(of: provider, context)),
            (name: "state", value: attempts.withLock { $0.add(attempt) }), (name: "nonce", value: attempt.nonce),
        ]
        if provider.takesChallenge {
            let challenge = Base64URL.encode(EmulatorCrypto.sha256(attempt.verifier))
            parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        let query = FormCoding.encode(parameters + provider.parameters)
        return .redirect(to: "\(context.served(provider.authorization))?\(query)")
    }

    private func redirectURI(of provider: TriedProvider, _ context: EmulatorContext) -> String {
        context.served("https://\(Self.host)/\(provider.id)")
    }

    private func end(
        _ provider: TriedProvider, _ answer: EmulatorParameters, _ request: EmulatorRequest, _ context: EmulatorContext
    ) async -> LoopbackResponse {
        let attempt = answer["state"].flatMap { state in attempts.withLock { $0.take(state) } }
        let say = attempt?.language ?? Self.language(of: request)
        var result = TriedSignIn(say: say, title: say("\(provider.name) sign-in failed", "\(provider.name) 로그인 실패"))
        result.add("Authorization response", "인가 응답", answer.items)
        guard let attempt else {
            result.refusal = say(
                "The app refuses the response: it has not begun this sign-in.", "앱이 시작한 로그인이 아니므로 응답을 거부했습니다.")
            return result.page
        }
        guard attempt.provider == provider.id, let code = answer["code"] else { return result.page }
        let tokens = await redeem(code, of: attempt, at: provider, context)
        if tokens["access_token"] != nil {
            result.title = say("Signed in with \(provider.name)", "\(provider.name) 로그인 성공")
        }
        result.add("Token response", "토큰 응답", tokens.rows)
        if let jwt = tokens["id_token"]?.string.flatMap({ JSONWebToken(Secret($0)) }) {
            let isOwn = jwt.claims["nonce"]?.string == attempt.nonce
            let nonce = isOwn ? say("as it was sent", "보낸 값과 일치") : say("not the one that was sent", "보낸 값과 불일치")
            result.add("ID token claims", "ID 토큰 클레임", jwt.claims.rows + [("nonce", nonce)])
        }
        if let profile = provider.profile, let token = tokens["access_token"]?.string {
            let header = (name: "Authorization", value: "Bearer \(token)")
            result.add("Profile", "프로필", await call("GET", profile, headers: [header], in: context).rows)
        }
        return result.page
    }

    private func redeem(
        _ code: String, of attempt: Attempt, at provider: TriedProvider, _ context: EmulatorContext
    ) async -> AuthJSON {
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "client_id", value: provider.client.id),
            (name: "code", value: code), (name: "redirect_uri", value: redirectURI(of: provider, context)),
        ]
        if let secret = provider.client.secret(context.now) { form.append(("client_secret", secret)) }
        if provider.takesChallenge { form.append(("code_verifier", attempt.verifier)) }
        return await call("POST", provider.token, form: form, in: context)
    }

    private func call(
        _ method: String, _ url: String, form: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], in context: EmulatorContext
    ) async -> AuthJSON {
        guard let url = URL(string: url), let host = url.host() else { return .null }
        let answer = await context.call(
            EmulatorRequest(method, host: host, path: url.path(), form: form, headers: headers))
        return AuthJSON(json: answer.body) ?? ["status": .integer(Int64(answer.status))]
    }
}

/// The end of a sign-in, with what the app got.
private struct TriedSignIn {
    let say: PageLanguage
    var title: String
    var refusal: String?
    /// What the app got, as HTML.
    var lists: [String] = []

    mutating func add(_ english: String, _ korean: String, _ rows: [(name: String, value: String)]) {
        let items = rows.map { "<dt>\(HTML.escape($0))</dt><dd><code>\(HTML.text($1, on: say))</code></dd>" }
        lists.append("<h2>\(say(english, korean))</h2>\n<dl>\n\(items.joined(separator: "\n"))\n</dl>")
    }

    var page: LoopbackResponse {
        .html(
            PageStyle.document(
                title: title, language: say,
                body: """
                    <h1>\(title)</h1>
                    \(refusal.map { "<p class=\"bad\">\($0)</p>" } ?? "")
                    \(lists.joined(separator: "\n"))
                    <p><a href="/?lang=\(say.rawValue)">\(say("Back to the dashboard", "대시보드로 돌아가기"))</a></p>
                    """)
        ).uncached
    }
}

extension AuthJSON {
    /// The members of an object, those of inner objects with their path.
    var rows: [(name: String, value: String)] {
        (object ?? [:]).sorted { $0.key < $1.key }.flatMap { name, member in
            member.object == nil
                ? [(name, member.words)]
                : member.rows.map { ("\(name).\($0.name)", $0.value) }
        }
    }
}
