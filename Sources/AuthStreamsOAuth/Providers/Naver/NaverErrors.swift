package import AuthStreams

/// Naver's errors as codes of this library: the words of the page and the numbers of the app.
///
/// A person's cancel is `error=access_denied` on the page, as Naver's own clients report it, and number 2 from the app.
package enum NaverErrors {
    /// The `error` words of the authorize page's redirect.
    package static let page: [String: AuthError.Meaning] = [
        "access_denied": (.cancelled, "The person cancelled on Naver's page."),
        "invalid_request": (.misconfigured, wrongRequest),
        "unauthorized_client": (.misconfigured, unknownClient),
        "unsupported_response_type": (.misconfigured, "Naver does not know the response type. Check the endpoints."),
        "server_error": (.server, "Naver failed. Try again later."),
        "temporarily_unavailable": (.server, "Naver is overloaded or under maintenance. Try again later."),
    ]

    /// The `code` numbers of the app's answer. Any other number counts as a failure of the app: older clients list numbers
    /// that the app never sends.
    package static let app: [Int64: AuthError.Meaning] = [
        2: (.cancelled, "The person cancelled in the Naver app."),
        6: (.misconfigured, wrongRequest),
        7: (.misconfigured, unknownClient),
        8: (.misconfigured, "The Naver app does not know the response type."),
        9: (.server, "Naver failed. Try again later."),
        10: (.server, "The Naver app failed without saying how."),
    ]

    /// Words of the page, for ``ExpectedCallback``.
    package static let dialect: OAuthFailure.Dialect = { failure in
        page[failure.error].map { AuthError($0.code, $0.explanation, provider: .naver) }
    }

    /// Whether a callback has the form of the app's answer: either a code or the number of an error.
    package static func isAppAnswer(_ answer: AuthorizationCallback) -> Bool {
        guard let number = answer["code"], number != "0" else { return answer.hasExactlyOne(of: "authCode") }
        return Int64(number) != nil && answer["authCode"] == nil
    }

    /// Returns the code in the app's answer: `authCode`, because its `code` is the number of an error, 0 for none.
    ///
    /// - Throws: The error of the number, or `invalidResponse` without code and number.
    package static func code(ofAppAnswer answer: AuthorizationCallback) throws(AuthError) -> Secret {
        guard let number = answer["code"], number != "0" else { return try answer.code("authCode") }
        let meaning = Int64(number).flatMap { app[$0] } ?? (.server, "The Naver app failed with a number of its own.")
        throw AuthError(
            meaning.code, meaning.explanation, provider: .naver, serverCode: OAuthFailure.sanitized(number))
    }

    private static let wrongRequest =
        "Naver refused the request's form: check the client id, and the URL scheme and callback in Naver Developers."
    private static let unknownClient =
        "Naver does not let this client do that: check the client id, and that the app's environment is set up there."
}
