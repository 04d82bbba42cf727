import AuthStreams

/// A value that a refused request had, beside those that would have been accepted.
struct Mismatch: Hashable, Sendable {
    /// The name of the parameter, header field or claim.
    let name: String
    /// What the request had; `nil` for nothing.
    let sent: String?
    /// Each value that would have been accepted; none where they cannot be listed.
    let expected: [String]
    let remedy: Phrase

    /// Returns whether a request has one of the values that the configuration lists, and notes the mismatch if not.
    ///
    /// - Parameter settings: The path of the list in the configuration, such as `kakao.redirectURIs`, or the paths of the values.
    static func accepts(_ name: String, _ sent: String?, _ known: [String], in settings: String...) -> Bool {
        if let sent, known.contains(sent) { return true }
        note(name, sent, known, remedy: .use(settings))
        return false
    }

    /// Returns whether a request has a secret of the configuration. Only the start of another one is noted: it may be one of
    /// production.
    static func accepts(_ name: String, secret sent: String?, _ known: String?, in setting: String) -> Bool {
        if sent == known { return true }
        note(name, sent.map(SecretMasks.start), [known].compactMap(\.self), remedy: .use([setting]))
        return false
    }

    /// Adds to the notes of the request that is being answered.
    static func note(_ name: String, _ sent: String?, _ expected: [String] = [], remedy: Phrase) {
        RequestNotes.add {
            $0.mismatches.append(Mismatch(name: name, sent: sent, expected: expected, remedy: remedy))
        }
    }
}

/// What a developer can do about a refusal.
extension Phrase {
    static func use(_ settings: [String]) -> Phrase {
        let paths = settings.joined(separator: ", ")
        return Phrase(
            "Send the expected value, or put yours into the configuration: \(paths). Production needs it in the provider's console.",
            "허용되는 값을 보내거나, 보낸 값을 설정 항목 \(paths) 및 제공자 콘솔에 등록하세요.")
    }

    static let issuerNames = Phrase(
        "The issuer is named by the emulator's URL, or by production's with issuerNames: production.",
        "발급자는 에뮬레이터의 URL이며, issuerNames를 production으로 설정하면 실제 서비스의 이름이 됩니다.")
    static let newCode = Phrase(
        "A code works once, for five minutes, at the client that asked for it. Begin another sign-in.",
        "인가 코드는 발급을 요청한 클라이언트에서 5분 안에 한 번만 사용할 수 있습니다. 로그인을 다시 시작하세요.")
    static let newToken = Phrase(
        "The token is unknown, expired, revoked, or of another kind. Refresh it, or begin another sign-in.",
        "알 수 없거나, 만료되었거나, 폐기되었거나, 종류가 다른 토큰입니다. 토큰을 갱신하거나 다시 로그인하세요.")
    static let knownHost = Phrase(
        "Use a host of the list. A function's host is made of firebase.region and firebase.projectID.",
        "목록에 있는 호스트를 사용하세요. 함수 호스트는 firebase.region 값과 firebase.projectID 값으로 정해집니다.")
    static let fixedRedirectURI = Phrase(
        "The redirect URI of this kind of client is fixed. Send one of this form.",
        "이 종류의 클라이언트는 리다이렉트 URI의 형식이 정해져 있습니다. 이 형식으로 보내세요.")
    static let newAssertion = Phrase(
        "Send a JSON Web Token that the client's key signs for this issuer, that is valid now, and that is used once (RFC 7523).",
        "클라이언트의 키로 이 발급자를 대상으로 서명하고, 지금 유효하며, 한 번만 쓰는 JWT를 보내세요(RFC 7523).")
    static let sameVerifier = Phrase(
        "Send the code_verifier whose challenge the authorization request had (RFC 7636); without a challenge, none.",
        "인가 요청의 code_challenge를 만든 code_verifier를 보내세요(RFC 7636). 인가 요청에 code_challenge가 없었다면 code_verifier도 보내지 마세요.")
    static let sameRedirectURI = Phrase(
        "Repeat the redirect_uri of the authorization request, character by character.",
        "인가 요청에 사용한 redirect_uri와 완전히 같은 값을 보내세요.")
    static let newClientSecret = Phrase(
        "Send a JSON Web Token that apple.privateKey signs with ES256, and that is valid now and for six months at most.",
        "apple.privateKey로 ES256 서명하고 지금부터 최대 6개월까지 유효한 JWT를 보내세요.")
    static let sameState = Phrase(
        "Send the state of the authorization request.", "인가 요청에 사용한 state를 보내세요.")
    static let sameNonce = Phrase(
        "Send the nonce of this attempt as it was before hashing.", "이번 로그인에 사용한 nonce의 해시 전 원본 값을 보내세요.")
}
