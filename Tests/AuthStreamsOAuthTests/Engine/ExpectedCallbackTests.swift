import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@Suite struct ExpectedCallbackTests {
    private let redirectURI = URL(literal: "https://app.example/back")
    private let expected = ExpectedCallback(state: Secret("right-state"))

    private func parse(_ text: String, _ expected: ExpectedCallback? = nil) throws -> AuthorizationCallback {
        try (expected ?? self.expected).parse(try #require(URL(string: text)), redirectURI: redirectURI)
    }

    /// What comes back, whether the attempt takes it as its answer, and the error that reading it ends with.
    @Test(
        arguments: [
            ("https://app.example/back?code=c&state=right-state", true, nil),
            ("HTTPS://APP.example/back?state=right-state&code=c&unknown=1&session=2", true, nil),
            ("https://app.example/back?code=c&state=wrong-state", false, .stateMismatch),
            ("https://app.example/back?code=c&state=right-stat", false, .stateMismatch),
            ("https://app.example/back?code=c", false, .stateMismatch),
            ("https://app.example/back?code=c&state=", false, .stateMismatch),
            ("https://app.example/back?code=c&state=right-state&state=right-state", false, .stateMismatch),
            ("https://app.example/back?code=c&state=wrong-state&state=right-state", false, .stateMismatch),
            ("https://app.example/back#code=c&state=right-state", false, .stateMismatch),
            ("https://app.example/back?error=access_denied&state=wrong-state", false, .stateMismatch),
            ("https://app.example/back?error=access_denied", false, .stateMismatch),
            ("https://app.example/back?error=access_denied&state=right-state", true, .accessDenied),
            ("https://app.example/back?error=access_denied&code=c&state=right-state", true, .accessDenied),
            ("https://app.example/back?error=server_error&state=right-state", true, .server),
            ("https://app.example/back?error=invalid_scope&state=right-state", true, .misconfigured),
            ("https://app.example/back?error=word_of_its_own&state=right-state", true, .accessDenied),
            // In EUC-KR.
            ("https://app.example/back?error=server_error&error_description=%B0%C5&state=right-state", true, .server),
            ("https://app.example/back?error=%B0%C5&error_description=x&state=right-state", false, .invalidResponse),
            ("https://app.example/back?code=c&code=d&state=right-state", true, .invalidResponse),
            ("https://app.example/back?state=right-state", true, .invalidResponse),
            ("https://app.example/back?code=&state=right-state", true, .invalidResponse),
            ("https://app.example/back?code=%ff&state=right-state", false, .invalidResponse),
            ("https://app.example/back/?code=c&state=right-state", false, .invalidResponse),
            ("https://app.example/Back?code=c&state=right-state", false, .invalidResponse),
            ("https://app.example:444/back?code=c&state=right-state", false, .invalidResponse),
            ("https://app.example.evil.example/back?code=c&state=right-state", false, .invalidResponse),
            ("https://app.example@evil.example/back?code=c&state=right-state", false, .invalidResponse),
            ("https://me@app.example/back?code=c&state=right-state", false, .invalidResponse),
            ("http://app.example/back?code=c&state=right-state", false, .invalidResponse),
        ] as [(String, Bool, AuthError.Code?)])
    func callbackIsTakenOnlyFromItsPlaceWithItsState(text: String, isAccepted: Bool, code: AuthError.Code?) throws {
        #expect(expected.accepts(try #require(URL(string: text)), redirectURI: redirectURI) == isAccepted)
        do {
            let value = try parse(text).code()
            #expect(code == nil && value.reveal() == "c")
        } catch {
            let error = try #require(error as? AuthError)
            #expect(error.code == code)
            expectNoLeak(of: ["right-state", "wrong-state", "=c"], in: error)
        }
    }

    /// A slash that an issuer added is left out with a scheme of the app, where `state` says whose answer it is.
    @Test(arguments: [(Secret("right-state"), true), (nil, false)] as [(Secret?, Bool)])
    func slashAtTheEndNeedsAState(state: Secret?, isAccepted: Bool) throws {
        let (expected, place) = (ExpectedCallback(state: state), URL(literal: "com.example.app:/back"))
        for (path, isTaken) in [("/back", true), ("/back/", isAccepted), ("/back//", false)] {
            let url = try #require(URL(string: "com.example.app:\(path)?code=c&state=right-state"))
            #expect(expected.accepts(url, redirectURI: place) == isTaken)
        }
    }

    @Test func codeIsDecodedOnce() throws {
        let callback = try parse("https://app.example/back?code=4%2F0A%2Bb%3D%2525&state=right-state")
        #expect(try callback.code().reveal() == "4/0A+b=%25")
    }

    /// RFC 9207: sent `iss`, whether one is required, and the outcome.
    @Test(
        arguments: [
            ("&iss=https%3A%2F%2Fa.example", true, nil), ("", false, nil), ("", true, .issuerMismatch),
            ("&iss=https%3A%2F%2Fa.example%2F", false, .issuerMismatch),
            ("&iss=https%3A%2F%2Fb.example&error=access_denied", false, .issuerMismatch),
        ] as [(String, Bool, AuthError.Code?)])
    func anotherIssuerEndsTheAttempt(query: String, isRequired: Bool, code: AuthError.Code?) {
        let expected = ExpectedCallback(
            state: Secret("right-state"), issuer: "https://a.example", isIssuerRequired: isRequired)
        let result = Result { try parse("https://app.example/back?code=c&state=right-state\(query)", expected) }
        #expect(result.authError?.code == code)
    }

    /// Not for the person: not every provider writes for them, and any page can make a callback.
    @Test func serverDescriptionIsForEngineers() throws {
        let query = "error=bad%20%3Cthing%3E&error_description=Scope%1B%5B31m%0Aunknown&state=right-state"
        let error = try #require(Result { try parse("https://app.example/back?\(query)") }.authError)
        #expect(error.serverCode == "bad__thing_")
        #expect(error.debugDescription.contains("Scope [31m unknown"))
        #expect(!"\(error) \(error.explanation) \(error.localizedDescription)".contains("unknown"))
    }

    @Test func descriptionThatCannotBeDecodedIsAbsent() throws {
        let query = "error=access_denied&error_description=%B0%C5%BA%CE&state=right-state"
        let error = try #require(Result { try parse("https://app.example/back?\(query)") }.authError)
        #expect(error.code == .accessDenied && error.serverCode == "access_denied" && error.serverMessage == nil)
    }

    @Test func dialectSpeaksFirst() {
        let expected = ExpectedCallback(state: Secret("right-state")) { failure in
            failure.error == "closed" && failure.errorDescription == "by hand" ? AuthError(.cancelled, "Closed.") : nil
        }
        let result = Result {
            try parse("https://app.example/back?error=closed&error_description=by+hand&state=right-state", expected)
        }
        #expect(result.authError?.code == .cancelled && result.authError?.serverCode == "closed")
    }

    @Test(arguments: [
        ("kakao1234://oauth", "kakao1234://oauth?code=c", true),
        ("kakao1234://oauth", "kakao1234://other?code=c", false),
        ("com.example.app:/back", "com.example.app:/back?code=c", true),
        ("com.example.app:/back", "com.example.app://back?code=c", false),
        ("http://127.0.0.1:5000/back", "http://127.0.0.1:5001/back", false),
        ("http://127.0.0.1:5000/back", "http://localhost:5000/back", false),
        ("http://127.0.0.1:5000", "http://127.0.0.1:5000/", true),
        ("http://127.0.0.1:5000/back", "http://127.0.0.1:5000/back/", false),
        ("https://app.example/back", "https://app.example/back/?code=c", false),
        ("com.example.app://callback", "com.example.app://callback/?code=c", true),
        ("com.example.app://callback/", "com.example.app://callback?code=c", true),
        ("com.example.app:/back", "com.example.app:/back/?code=c", true),
        ("com.example.app://callback", "com.example.app://callback//?code=c", false),
        ("com.example.app://callback", "com.example.app://callback/more?code=c", false),
        ("com.example.app://callback", "com.example.app:/callback/?code=c", false),
    ])
    func redirectURIsAreComparedExactly(redirectURI: String, url: String, matches: Bool) throws {
        let (a, b) = (try #require(URL(string: url)), try #require(URL(string: redirectURI)))
        #expect(RedirectURI.matches(a, b) == matches)
    }
}

extension Result {
    var authError: AuthError? { if case .failure(let error) = self { error as? AuthError } else { nil } }
}
