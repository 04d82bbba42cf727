import Foundation

/// Reads a challenge from the members of a value in an answer.
struct ChallengeReader {
    let names: ServerContract.ChallengeNames
    let member: ServerMember

    /// Returns the challenge, and the code that says what the server wants; `nil` if no word says its kind.
    ///
    /// - Parameter name: The name of the member with the server's word for the kind.
    /// - Throws: `invalidResponse` if the challenge cannot be read; `additionalStepRequired` for a kind that this version does not
    ///   know, and that has no page.
    func challenge(ofKindAt name: String) throws(AuthError) -> (Challenge, AuthError.Code)? {
        guard let word = member[name]?.text else { return nil }
        let step = try step(of: names.kinds[word] ?? Challenge.Kind(rawValue: word))
        var challenge = Challenge(step, expiresIn: expiresIn, attemptsLeft: attemptsLeft)
        if let token = names.token {
            challenge.pendingToken = try member[token].token(named: member.path(of: token))
            if challenge.pendingToken == nil, !step.isPage { throw member.missing(token) }
        }
        let reason = member[names.reason]?.text.flatMap { names.reasons[$0] }
        return (challenge, reason ?? step.code)
    }

    private func step(of kind: Challenge.Kind) throws(AuthError) -> Challenge.Step {
        switch kind {
        case .code: .code(code(updating: Challenge.Code()))
        case .factors: .factors(try factors(atLeast: 1))
        case .form: .form(try member.elements(of: names.fields, atLeast: 1, field))
        case .enrollment: .enrollment(try enrollment())
        default: .page(try page(of: kind))
        }
    }

    /// How long the server takes an answer; `nil` if it does not say.
    var expiresIn: Duration? { member[names.expiresIn]?.wait }

    /// How many answers the server still takes; `nil` if it does not say.
    var attemptsLeft: Int? {
        member[names.attemptsLeft]?.lenientInteger.map { Int(min(max($0, 0), 1_000_000)) }
    }

    /// Returns what is said of a code, and the rest as it is known.
    func code(updating code: Challenge.Code) -> Challenge.Code {
        Challenge.Code(
            to: member[names.destination]?.text ?? code.destination, length: length ?? code.length,
            hasLetters: member[names.hasLetters]?.lenientBool ?? code.hasLetters,
            resendAfter: member[names.resendAfter]?.wait ?? code.resendAfter)
    }

    private var length: Int? {
        member[names.length]?.lenientInteger.flatMap { (1...64).contains($0) ? Int($0) : nil }
    }

    /// Returns the factors.
    ///
    /// - Parameter count: How many there must be.
    func factors(atLeast count: Int = 0) throws(AuthError) -> [Challenge.Factor] {
        try member.elements(of: names.factors, atLeast: count) { factor throws(AuthError) in
            Challenge.Factor(
                id: try factor.required(names.factorID, \.word), kind: factor[names.factorKind]?.text ?? "",
                name: factor[names.factorName]?.text)
        }
    }

    private func field(_ field: ServerMember) throws(AuthError) -> Challenge.Field {
        let name = try field.required(names.fieldName, \.text)
        let kind = field[names.fieldKind]?.text.map { names.fieldKinds[$0] ?? Challenge.Field.Kind(rawValue: $0) }
        let url = field[names.fieldURL]?.text.flatMap { URL(string: $0) }
        return Challenge.Field(
            id: name, kind: kind ?? .text, label: field[names.fieldLabel]?.text,
            isRequired: field[names.isFieldRequired]?.lenientBool ?? true,
            url: url.flatMap { $0.keepsSecrets ? $0 : nil })
    }

    private func enrollment() throws(AuthError) -> Challenge.Enrollment {
        let secret = try member.required(names.secret, \.text)
        guard let uri = member[names.uri]?.text, uri.lowercased().hasPrefix("otpauth://") else {
            throw .badMember(member.path(of: names.uri), "is missing, or no `otpauth:` URL")
        }
        return Challenge.Enrollment(secret: Secret(secret), url: Secret(uri), length: length ?? 6)
    }

    private func page(of kind: Challenge.Kind) throws(AuthError) -> Challenge.Page {
        guard let text = member[names.page]?.text else {
            guard kind != .page else { throw member.missing(names.page) }
            throw AuthError(
                .additionalStepRequired,
                "The server wants a step '\(kind.printable)', which this version does not know, and names no page for it."
            )
        }
        guard let url = URL(string: text), url.keepsSecrets else {
            throw .badMember(member.path(of: names.page), "is not a URL by https")
        }
        let callback = member[names.callbackURL]?.text.flatMap { URL(string: $0) }
        // What the page gives the app must not travel in plain text.
        let isUsable = callback.map { (try? RedirectURI.validate($0)) != nil } ?? false
        return Challenge.Page(url, callbackURL: isUsable ? callback : nil, kind: kind)
    }
}

extension AuthJSON {
    /// A wait in seconds, from zero up to a day; `nil` for anything but a number or its decimal text.
    fileprivate var wait: Duration? { lifetime.map { min($0, .seconds(86_400)) } }
}

extension Challenge.Step {
    fileprivate var isPage: Bool { if case .page = self { true } else { false } }

    /// The code of an attempt that ends at this step, because nothing shows the prompt.
    var code: AuthError.Code {
        switch self {
        case .code: .verificationRequired
        case .factors, .enrollment: .secondFactorRequired
        case .form: .registrationRequired
        default: .additionalStepRequired
        }
    }
}
