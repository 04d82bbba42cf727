public import Foundation

/// A further step that a server wants before it answers with a session: a code, a second factor, a form, a page.
///
/// A repository throws it as ``AuthError/challenge``. The use cases show it to the person as an ``AuthPrompt`` and send the
/// answer by ``AuthRepository/answer(_:with:in:)``, until the server gives a session or an error.
///
/// ```swift
/// throw AuthError(
///     .secondFactorRequired, "The account has a second factor.",
///     challenge: Challenge(.code(.init(length: 6)), pendingToken: token, expiresIn: .seconds(300)))
/// ```
///
/// It lives in memory alone, from the server's answer to the person's. Printed, dumped or mirrored, it shows its kind.
public struct Challenge: Hashable, Sendable {
    /// What the person is asked, and the data to ask it with.
    public var step: Step
    /// The server's token for the sign-in that is not complete, which the answer repeats; `nil` if the server has none.
    public var pendingToken: Secret?
    /// How long the server takes an answer, from its own answer on; `nil` if it does not say, which counts as ten minutes.
    public var expiresIn: Duration?
    /// How many answers the server still takes; `nil` if it does not say. With none left, and no other code to be sent, the attempt
    /// ends.
    public var attemptsLeft: Int?
    /// What the repository itself needs to send the answer, such as the identifier of a factor. No reader of prompts sees it.
    public var context: [String: Secret]

    /// Makes a challenge.
    public init(
        _ step: Step, pendingToken: Secret? = nil, expiresIn: Duration? = nil, attemptsLeft: Int? = nil,
        context: [String: Secret] = [:]
    ) {
        self.step = step
        self.pendingToken = pendingToken
        self.expiresIn = expiresIn
        self.attemptsLeft = attemptsLeft
        self.context = context
    }

    /// The kind of the step.
    public var kind: Kind { step.kind }

    /// The wait until the server sends another code or link, from its answer on; `nil` if it sends none.
    var resendAfter: Duration? {
        switch step {
        case .code(let code): code.resendAfter
        case .link(let link): link.resendAfter
        default: nil
        }
    }

    /// Whether the server takes no further answer, and sends no other code.
    var isSpent: Bool { attemptsLeft == 0 && resendAfter == nil }
}

extension Challenge {
    /// What the person is asked. New steps may be added; keep a `default`.
    public enum Step: Hashable, Sendable {
        /// A code: one that the server sent, or one that an authenticator app shows.
        case code(Code)
        /// The choice of one of several factors.
        case factors([Factor])
        /// A form, such as the nickname and the terms of a sign-up in two steps.
        case form([Field])
        /// A link in a mail, which the person opens. A provider waits for it; a repository does not ask for it.
        case link(Link)
        /// The e-mail address to which a link was sent, asked where the link was opened on another device.
        case address
        /// A new authenticator app, whose first code is the answer (RFC 6238).
        case enrollment(Enrollment)
        /// A code that the person enters on another device (RFC 8628). A provider waits for the server; a repository does not ask for
        /// it.
        case userCode(UserCode)
        /// A page of the server, for a step that this version of the library does not know.
        case page(Page)

        /// The kind of the step.
        public var kind: Kind {
            switch self {
            case .code: .code
            case .factors: .factors
            case .form: .form
            case .link: .link
            case .address: .address
            case .enrollment: .enrollment
            case .userCode: .userCode
            case .page(let page): page.kind
            }
        }
    }

    /// The kind of a step. A server may name kinds of its own.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A code that was sent, or that an authenticator app shows.
        public static let code = Self(rawValue: "code")
        /// The choice of a factor.
        public static let factors = Self(rawValue: "factors")
        /// A form.
        public static let form = Self(rawValue: "form")
        /// A link in a mail.
        public static let link = Self(rawValue: "link")
        /// The address to which a link was sent.
        public static let address = Self(rawValue: "address")
        /// A new authenticator app.
        public static let enrollment = Self(rawValue: "enrollment")
        /// A code for another device.
        public static let userCode = Self(rawValue: "userCode")
        /// A page without a name of its own.
        public static let page = Self(rawValue: "page")
    }

    /// A code that the person enters.
    public struct Code: Hashable, Sendable {
        /// Where the server sent the code, as much of it as the server shows, such as `a•••@example.com`; `nil` for the code of an
        /// authenticator app.
        public var destination: String?
        /// The number of characters; `nil` if the server does not say.
        public var length: Int?
        /// Whether the code has letters, too. Otherwise what the person enters has to be digits.
        public var hasLetters: Bool
        /// The wait until the server sends another code, from its answer on; `nil` if it sends none.
        public var resendAfter: Duration?

        /// Makes a request for a code.
        public init(
            to destination: String? = nil, length: Int? = nil, hasLetters: Bool = false, resendAfter: Duration? = nil
        ) {
            self.destination = destination
            self.length = length
            self.hasLetters = hasLetters
            self.resendAfter = resendAfter
        }
    }

    /// A second factor that the account has.
    public struct Factor: Hashable, Sendable, Identifiable {
        /// The server's identifier of the factor.
        public var id: String
        /// The kind of the factor, in the server's words, such as `totp`, `sms` or `email`.
        public var kind: String
        /// The name that the person gave it, or the address of which the server shows a part.
        public var name: String?

        /// Makes a factor.
        public init(id: String, kind: String, name: String? = nil) {
            self.id = id
            self.kind = kind
            self.name = name
        }
    }

    /// A field of a form.
    public struct Field: Hashable, Sendable, Identifiable {
        /// What the person enters. A view shows a kind that it does not know as text.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            /// The kind's name.
            public let rawValue: String

            /// Makes a kind.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A line of text.
            public static let text = Self(rawValue: "text")
            /// An e-mail address.
            public static let email = Self(rawValue: "email")
            /// A phone number.
            public static let phone = Self(rawValue: "phone")
            /// A new password.
            public static let password = Self(rawValue: "password")
            /// A consent: `true` or `false`. If it is required, `true` alone is an answer.
            public static let consent = Self(rawValue: "consent")
        }

        /// The name of the field, under which its value is sent.
        public var id: String
        /// What the person enters.
        public var kind: Kind
        /// The label, in the server's words; `nil` if the app has its own.
        public var label: String?
        /// Whether the server requires a value.
        public var isRequired: Bool
        /// The page with the terms of a consent; `nil` if there is none.
        public var url: URL?

        /// Makes a field.
        public init(
            id: String, kind: Kind = .text, label: String? = nil, isRequired: Bool = true, url: URL? = nil
        ) {
            self.id = id
            self.kind = kind
            self.label = label
            self.isRequired = isRequired
            self.url = url
        }
    }

    /// A link that was sent by mail.
    public struct Link: Hashable, Sendable {
        /// The address to which it was sent.
        public var address: String
        /// The wait until another one is sent, from the first on; `nil` if none is.
        public var resendAfter: Duration?

        /// Makes a request to open a link.
        public init(to address: String, resendAfter: Duration? = nil) {
            self.address = address
            self.resendAfter = resendAfter
        }
    }

    /// An authenticator app that the person adds (RFC 6238).
    public struct Enrollment: Hashable, Sendable {
        /// The shared secret in Base32, which the person can type.
        public var secret: Secret
        /// The URL with the secret, for a QR code or a tap: `otpauth://totp/…`.
        public var url: Secret
        /// The number of digits of a code.
        public var length: Int

        /// Makes an enrollment.
        public init(secret: Secret, url: Secret, length: Int = 6) {
            self.secret = secret
            self.url = url
            self.length = length
        }
    }

    /// A page of the server.
    public struct Page: Hashable, Sendable {
        /// The page, which is shown as a provider's is: in the browser, never in a view of the app.
        public var url: URL
        /// The URL of the app at which the page ends; `nil` if only the app knows.
        public var callbackURL: URL?
        /// What the server calls the step; ``Challenge/Kind/page`` if it has no name.
        public var kind: Kind

        /// Makes a request to show a page.
        public init(_ url: URL, callbackURL: URL? = nil, kind: Kind = .page) {
            self.url = url
            self.callbackURL = callbackURL
            self.kind = kind
        }
    }
}

extension Challenge.Page: DescriptionOnly {
    /// The kind of the step; never the address, which may have a secret in its query.
    public var description: String { "page \(kind.rawValue)" }
}

extension Challenge: DescriptionOnly {
    /// The kind of the step, such as `challenge code`: the data are personal, and the token is a secret.
    public var description: String { "challenge \(kind.rawValue)" }
}

/// The person's answer to a ``Challenge``, for the repository that sends it. New answers may be added; keep a `default`.
public enum ChallengeAnswer: Hashable, Sendable {
    /// The code: of ``Challenge/Step/code(_:)`` and ``Challenge/Step/enrollment(_:)``. It is not empty, and has neither spaces nor
    /// full-width characters.
    case code(Secret)
    /// Send another code or link.
    case resend
    /// The identifier of the factor that the person chose.
    case factor(String)
    /// The values of the form by the names of its fields. A consent is `true` or `false`.
    case form([String: Secret])
    /// The address to which a link was sent.
    case address(String)
    /// The URL by which the page came back to the app.
    case callback(URL)
    /// Show the page. The use case shows it and sends its ``callback(_:)``, so that no repository receives this.
    case open
}

extension ChallengeAnswer: DescriptionOnly {
    /// The kind of the answer, without its values, which are personal.
    public var description: String {
        switch self {
        case .code: "code"
        case .resend: "resend"
        case .factor: "factor"
        case .form: "form"
        case .address: "address"
        case .callback: "callback"
        case .open: "open"
        }
    }
}

/// A code that the person enters on another device, to sign in on this one (RFC 8628 section 3.2).
///
/// Show ``code`` and ``verificationURI``, also beside a QR code of ``verificationURIComplete``: the person compares the code
/// there with the one here (section 3.3.1). Until the attempt ends, anyone who has the code can answer, so it belongs on the
/// screen and in no log.
public struct UserCode: Hashable, Sendable {
    /// The code, as the server spells it, such as `WDJB-MJHT`.
    public let code: String
    /// The page at which the person enters the code.
    public let verificationURI: URL
    /// The same page with the code filled in, for a QR code or a link; `nil` if the server has none.
    public let verificationURIComplete: URL?
    /// How long the code can be entered, from the moment at which it is shown.
    public let expiresIn: Duration

    /// Makes a code.
    public init(code: String, verificationURI: URL, verificationURIComplete: URL? = nil, expiresIn: Duration) {
        self.code = code
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresIn = expiresIn
    }
}

extension UserCode: DescriptionOnly {
    /// A fixed text: the address may name the code, which answers the attempt.
    public var description: String { "user code" }
}
