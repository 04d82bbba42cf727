public import AuthStreams
public import Foundation

/// What a sheet shows of a prompt, in the language of its texts: the same parts for each kind.
public struct AuthPromptContent: Equatable, Sendable {
    /// A field that the person fills in.
    public struct Field: Identifiable, Hashable, Sendable {
        /// What a field takes, which decides about the keyboard and what the system fills in.
        public enum Input: Hashable, Sendable, CaseIterable {
            /// A code of digits that was sent, or that an app shows.
            case code
            /// The same with letters.
            case codeWithLetters
            /// A line of text.
            case text
            /// An e-mail address.
            case email
            /// A phone number.
            case phone
            /// The password of the account.
            case password
            /// A password that the person chooses.
            case newPassword
            /// A switch: `true` or `false`.
            case consent
        }

        /// The name of the field. Those of a form have the server's.
        public var id: String
        /// What the field takes.
        public var input: Input
        /// The label, which VoiceOver reads.
        public var label: String
        /// Whether the answer needs a value.
        public var isRequired: Bool
        /// The number of characters; `nil` for any.
        public var length: Int?
        /// The page with the text of a consent.
        public var terms: URL?
        /// The label of the link to that page.
        public var termsLabel: String?
    }

    /// A factor that the person chooses.
    public struct Choice: Identifiable, Hashable, Sendable {
        /// The factor.
        public var factor: Challenge.Factor
        /// What kind of factor it is.
        public var title: String
        /// Its name, or the address of which the server shows a part.
        public var detail: String?

        /// The identifier of the factor.
        public var id: String { factor.id }
    }

    /// What the person types in elsewhere: a key or a code.
    public struct Shown: Hashable, Sendable {
        /// What it is.
        public var label: String
        /// The key or the code.
        public var value: Secret
    }

    /// The title of the sheet.
    public var title: String
    /// What the person is asked to do.
    public var explanation: String?
    /// What a QR code holds, for a camera.
    public var qrCode: Secret?
    /// What the person types in elsewhere.
    public var shown: Shown?
    /// What opens an app or a page on this device. The scheme is `otpauth`, or that of a page.
    public var link: Secret?
    /// The title of that link.
    public var linkTitle: String?
    /// The fields, in order.
    public var fields: [Field] = []
    /// The factors, in order. Choosing one is the answer.
    public var choices: [Choice] = []
    /// The title of the button that sends the answer; `nil` where there is none.
    public var submitTitle: String?
    /// The title of the button that asks for another code or link; `nil` where there is none.
    public var resendTitle: String?
}

extension AuthPromptContent {
    init(_ prompt: AuthPrompt, _ texts: AuthPromptTexts) {
        let kind = prompt.kind
        title = texts.titles[kind] ?? texts.titles[.page] ?? ""
        explanation = texts.explanations[kind]
        if prompt.resendableAt != nil { resendTitle = texts.resend[kind] }
        switch prompt.step {
        case .code(let code): ask(for: code, texts)
        case .factors(let factors): choices = factors.map { Choice($0, texts) }
        case .form(let fields): ask(for: fields, of: prompt.provider, texts)
        case .link(let link): explain(link.address)
        case .address: setFields([Field(Challenge.Field(id: "email", kind: .email), texts)], texts)
        case .enrollment(let enrollment): ask(for: enrollment, texts)
        case .userCode(let code): show(code, texts)
        case .page(let page): show(page, texts)
        @unknown default: explanation = texts.unknown
        }
    }

    // MARK: The kinds of prompts

    private mutating func ask(for code: Challenge.Code, _ texts: AuthPromptTexts) {
        if let destination = code.destination { explain(destination) } else { explanation = texts.authenticatorCode }
        setFields([.code(code.hasLetters ? .codeWithLetters : .code, length: code.length, texts)], texts)
    }

    private mutating func ask(for form: [Challenge.Field], of provider: ProviderID?, _ texts: AuthPromptTexts) {
        let ids = Set(form.map(\.id))
        // The form of `PasswordProvider`, or of a server before a change.
        let isSignIn = provider == .password && ids.isSubset(of: ["email", "password"])
        let password: Field.Input = isSignIn || ids == ["currentPassword"] ? .password : .newPassword
        if password == .password { title = texts.password }
        setFields(form.map { Field($0, password: password, texts) }, texts)
    }

    private mutating func ask(for enrollment: Challenge.Enrollment, _ texts: AuthPromptTexts) {
        show(enrollment.secret, opening: enrollment.url, .enrollment, texts)
        setFields([.code(.code, length: enrollment.length, texts)], texts)
    }

    private mutating func show(_ code: UserCode, _ texts: AuthPromptTexts) {
        explain(code.verificationURI.shortText)
        let url = code.verificationURIComplete ?? code.verificationURI
        show(Secret(code.code), opening: Secret(url.absoluteString), .userCode, texts)
    }

    private mutating func show(_ page: Challenge.Page, _ texts: AuthPromptTexts) {
        // The text of a page also where the page's kind is the server's own.
        explanation = texts.explanations[.page]
        explain(page.url.host() ?? "")
        submitTitle = texts.openPage
    }

    // MARK: The parts of a sheet

    private mutating func explain(_ destination: String) {
        explanation = explanation?.replacing("{destination}", with: destination)
    }

    private mutating func setFields(_ fields: [Field], _ texts: AuthPromptTexts) {
        self.fields = fields
        submitTitle = texts.submit
    }

    /// Shows what the person types in elsewhere, or opens instead: by a camera, or on this device.
    private mutating func show(
        _ value: Secret, opening url: Secret, _ kind: Challenge.Kind, _ texts: AuthPromptTexts
    ) {
        shown = Shown(label: texts.shown[kind] ?? "", value: value)
        (qrCode, link, linkTitle) = (url, url, texts.open[kind])
    }
}

extension AuthPromptContent.Choice {
    fileprivate init(_ factor: Challenge.Factor, _ texts: AuthPromptTexts) {
        self.init(factor: factor, title: texts.factors[factor.kind] ?? factor.kind, detail: factor.name)
    }
}

extension AuthPromptContent.Field {
    /// - Parameter password: What a field for a password takes: that of the account, or a new one.
    fileprivate init(_ field: Challenge.Field, password: Input = .newPassword, _ texts: AuthPromptTexts) {
        let label = field.label ?? texts.fieldLabels[field.id] ?? field.id
        let input: Input =
            switch field.kind {
            case .email: .email
            case .phone: .phone
            case .password: field.id == "currentPassword" ? .password : password
            case .consent: .consent
            default: .text
            }
        self.init(
            id: field.id, input: input,
            label: field.isRequired ? label : texts.optional.replacing("{label}", with: label),
            isRequired: field.isRequired, terms: field.url,
            termsLabel: field.url.map { _ in texts.readTerms.replacing("{label}", with: label) })
    }

    fileprivate static func code(_ input: Input, length: Int?, _ texts: AuthPromptTexts) -> Self {
        Self(id: "code", input: input, label: texts.fieldLabels["code"] ?? "code", isRequired: true, length: length)
    }

    /// Whether a value can be sent. What is not known here, the server decides.
    func takes(_ value: String) -> Bool {
        switch input {
        case .code, .codeWithLetters:
            let count = value.count { !$0.isWhitespace && !$0.isPunctuation }
            return count > 0 && (length ?? count) == count
        case .consent: return !isRequired || value == "true"
        default: return !isRequired || value.contains { !$0.isWhitespace }
        }
    }

    /// Whether the value proves who the person is.
    var isProof: Bool { [.code, .codeWithLetters, .password].contains(input) }
}

extension AuthPromptContent {
    /// The fields that have the focus, one after the other.
    var inputs: [Field.ID] { fields.filter { $0.input != .consent }.map(\.id) }

    /// The field to which Return leads from another one; `nil` from the last.
    func input(after field: Field.ID?) -> Field.ID? { inputs.drop { $0 != field }.dropFirst().first }
}

extension URL {
    /// Host and path, as people type them.
    fileprivate var shortText: String { (host() ?? "") + (path() == "/" ? "" : path()) }
}

extension AuthPromptContent: DescriptionOnly {
    /// The same text for all contents: what is shown is personal.
    public var description: String { "content of a prompt" }
}

extension AuthPromptContent.Choice: DescriptionOnly {
    /// The kind of the factor, without its name, which is personal.
    public var description: String { "choice \(factor.kind)" }
}
