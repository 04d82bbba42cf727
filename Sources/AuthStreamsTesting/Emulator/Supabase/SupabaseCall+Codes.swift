import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Sign-ups, codes and mails (`signup.go`, `otp.go`, `magic_link.go`, `recover.go`, `resend.go`, `verify.go`).
extension SupabaseCall {
    /// Returns the user of an address, or else of a number.
    func user(of contact: SupabaseContact) -> SupabaseUser? {
        state.withLock { state in
            contact.email.flatMap(state.user(email:)) ?? contact.phone.flatMap(state.user(phone:))
        }
    }

    func signUp() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let contact = SupabaseContact(in: body)
        guard !contact.isEmpty else { return try signUpAnonymously() }
        let password = try password(in: body)
        let confirms = contact.phone == nil ? rules.confirmsEmail : rules.confirmsPhone
        let known = user(of: contact)
        guard known?.isConfirmed != true else {
            guard confirms else { throw SupabaseError("user_already_exists", "User already registered") }
            // A made-up user, so that the answer does not tell who has an account.
            var madeUp = SupabaseUser(at: now)
            madeUp.email = contact.email
            return madeUp.json
        }
        var user = known ?? SupabaseUser(at: now, contact)
        if known == nil { user.password = password }
        if confirms {
            try send(contact.phone == nil ? .confirmation : .sms, to: &user)
        } else if contact.email != nil {
            user.emailConfirmedAt = now
        } else {
            user.phoneConfirmedAt = now
        }
        save(user)
        return confirms ? user.json : begin(user, by: "password")
    }

    private func signUpAnonymously() throws(SupabaseError) -> AuthJSON {
        guard rules.allowsAnonymousUsers else {
            throw SupabaseError("anonymous_provider_disabled", "Anonymous sign-ins are disabled")
        }
        var user = SupabaseUser(at: now)
        user.isAnonymous = true
        save(user)
        return begin(user, by: "anonymous")
    }

    /// The password of a body, if it is strong enough (`password.go`).
    func password(in body: [String: AuthJSON]) throws(SupabaseError) -> String {
        guard let password = body["password"]?.text else {
            throw SupabaseError("validation_failed", "Signup requires a valid password")
        }
        guard password.utf8.count >= rules.minimumPasswordLength else {
            throw .weakPassword(
                "Password should be at least \(rules.minimumPasswordLength) characters.", reasons: ["length"])
        }
        return password
    }

    func sendCode() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let contact = SupabaseContact(in: body)
        guard !contact.isEmpty else { throw SupabaseError("validation_failed", "One of email or phone must be set") }
        let known = user(of: contact)
        guard known != nil || body["create_user"]?.bool ?? true else {
            throw SupabaseError("otp_disabled", "Signups not allowed for otp")
        }
        var user = known ?? SupabaseUser(at: now, contact)
        // The mail of a sign-up has the same code and link.
        try send(contact.phone != nil ? .sms : user.isConfirmed ? .recovery : .confirmation, to: &user)
        save(user)
        return [:]
    }

    func recover() throws(SupabaseError) -> AuthJSON {
        guard let email = try body()["email"]?.text else {
            throw SupabaseError("validation_failed", "Password recovery requires an email")
        }
        guard var user = state.withLock({ $0.user(email: email) }) else { return [:] }
        try send(.recovery, to: &user, as: .passwordReset)
        save(user)
        return [:]
    }

    func resend() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let type = body["type"]?.text ?? ""
        // By the address or number before a change.
        let known = user(of: SupabaseContact(in: body))
        guard ["signup", "email_change", "sms", "phone_change"].contains(type) else {
            throw SupabaseError(
                "validation_failed", "Missing one of these types: signup, email_change, sms, phone_change")
        }
        guard var user = known else { return [:] }
        switch type {
        case "signup" where user.emailConfirmedAt == nil: try send(.confirmation, to: &user, as: .emailVerification)
        case "sms" where user.phoneConfirmedAt == nil: try send(.sms, to: &user)
        case "email_change" where user.newEmail != nil: try send(.emailChange, to: &user)
        case "phone_change" where user.newPhone != nil: try send(.phoneChange, to: &user)
        default: break
        }
        save(user)
        return [:]
    }

    func reauthenticate() throws(SupabaseError) -> AuthJSON {
        var user = try caller().user
        guard user.email != nil || user.phone != nil else {
            throw SupabaseError(
                "validation_failed", "Reauthentication requires the user to have an email or a phone number")
        }
        try send(.reauthentication, to: &user)
        save(user)
        return [:]
    }

    /// Sends a code. The link has the hash of it, as the template of the mail in the article makes it.
    func send(
        _ purpose: SupabaseMail.Purpose, to user: inout SupabaseUser, as kind: EmulatedMessage.Kind = .code
    ) throws(SupabaseError) {
        let recipient =
            switch purpose {
            case .sms: user.phone
            case .emailChange: user.newEmail
            case .phoneChange: user.newPhone
            default: user.email ?? user.phone
            }
        guard let recipient else { return }
        if let last = user.codes[purpose] {
            let left = rules.mailInterval / .seconds(1) - now.timeIntervalSince(last.at)
            guard left <= 0 else {
                throw SupabaseError(
                    recipient.contains("@") ? "over_email_send_rate_limit" : "over_sms_send_rate_limit",
                    "For security purposes, you can only request this after \(Int(left)) seconds.")
            }
        }
        let code = String((0..<6).map { _ in Character("\(Int.random(in: 0...9))") })
        let hash = Self.hash(of: code, sentTo: recipient)
        user.codes[purpose] = .init(hash: hash, at: now)
        context.note("code", code, host: EmulatorConfiguration.Supabase.host)
        context.note("code", hash, host: EmulatorConfiguration.Supabase.host)
        let link = request.query["redirect_to"].map { "\($0)\($0.contains("?") ? "&" : "?")code=\(hash)" }
        state.withLock { $0.messages.append(EmulatedMessage(kind, to: recipient, code: code, link: link)) }
    }

    static func hash(of code: String, sentTo recipient: String) -> String { SHA256.hex(recipient + code) }

    // MARK: Verifying

    func verify() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let hash = try hash(in: body)
        guard let purposes = SupabaseMail.purposes[body["type"]?.text ?? ""] else {
            throw SupabaseError("validation_failed", "Unsupported verification type")
        }
        let (now, lifetime) = (now, rules.codeLifetime / .seconds(1))
        let user = try state.withLock { (state) throws(SupabaseError) in
            try state.take(hash, for: purposes, validFor: lifetime, at: now)
        }
        return begin(user, by: "otp")
    }

    /// Returns the hash in a body, which is that of a link, or the hash of the code in it.
    private func hash(in body: [String: AuthJSON]) throws(SupabaseError) -> String {
        if let hash = body["token_hash"]?.text {
            guard body["email"] == nil, body["phone"] == nil else {
                throw SupabaseError("validation_failed", "Only the token_hash and type should be provided")
            }
            return hash
        }
        let contact = SupabaseContact(in: body)
        guard let code = body["token"]?.text, let recipient = contact.phone ?? contact.email else {
            throw SupabaseError("validation_failed", "Verify requires either a token or a token hash")
        }
        return Self.hash(of: code, sentTo: recipient)
    }
}

/// The address and the number in a body. Most bodies have one of them.
struct SupabaseContact {
    let email: String?
    /// The number without its plus sign (`phone.go`: `formatPhoneNumber`).
    let phone: String?

    init(in body: [String: AuthJSON]) {
        email = body["email"]?.text?.lowercased()
        phone = body["phone"]?.text.map { $0.replacing("+", with: "").replacing(" ", with: "") }
    }

    var isEmpty: Bool { email == nil && phone == nil }
}

extension SupabaseMail {
    /// The purposes of the codes that a verification of a type takes.
    fileprivate static let purposes: [String: [Purpose]] = [
        "email": [.confirmation, .recovery], "signup": [.confirmation], "magiclink": [.recovery],
        "recovery": [.recovery], "sms": [.sms], "email_change": [.emailChange], "phone_change": [.phoneChange],
    ]
}

extension SupabaseState {
    /// Uses up the code of a hash, and returns its user, whose address or number is then confirmed.
    fileprivate mutating func take(
        _ hash: String, for purposes: [SupabaseMail.Purpose], validFor lifetime: TimeInterval, at now: Date
    ) throws(SupabaseError) -> SupabaseUser {
        let found = users.all(named: hash).lazy.compactMap { user in
            purposes.first { user.codes[$0]?.hash == hash }.map { (user, $0) }
        }.first
        guard let (holder, purpose) = found, let sent = holder.codes[purpose],
            now.timeIntervalSince(sent.at) <= lifetime
        else { throw SupabaseError("otp_expired", "Token has expired or is invalid") }
        var user = holder
        guard !user.isBanned else { throw SupabaseError("user_banned", "User is banned", status: 403) }
        user.confirm(purpose, at: now)
        self[user.id] = user
        return user
    }
}

extension SupabaseUser {
    /// Makes the user of an address or a number.
    fileprivate init(at now: Date, _ contact: SupabaseContact) {
        self.init(at: now)
        (email, phone) = (contact.email, contact.phone)
        let data: [String: AuthJSON] = ["sub": .string(id), "email": email.map(AuthJSON.string) ?? .null]
        identities = [.init(provider: phone == nil ? "email" : "phone", providerID: id, data: data)]
    }

    /// Takes a code, which works once.
    fileprivate mutating func confirm(_ purpose: SupabaseMail.Purpose, at now: Date) {
        codes[purpose] = nil
        switch purpose {
        case .confirmation, .recovery: emailConfirmedAt = emailConfirmedAt ?? now
        case .sms: phoneConfirmedAt = phoneConfirmedAt ?? now
        case .emailChange:
            if let newEmail { take(email: newEmail, at: now) }
        case .phoneChange:
            if let newPhone { take(phone: newPhone, at: now) }
        case .reauthentication: break
        }
    }

    /// Takes an address that is confirmed (`verify.go`: `emailChangeVerify`).
    mutating func take(email new: String, at now: Date) {
        (email, newEmail, emailConfirmedAt, isAnonymous) = (new, nil, now, false)
        addIdentity("email", ["email": .string(new), "email_verified": true])
    }

    /// Takes a number that is confirmed (`verify.go`: `smsVerify`).
    mutating func take(phone new: String, at now: Date) {
        (phone, newPhone, phoneConfirmedAt, isAnonymous) = (new, nil, now, false)
        addIdentity("phone", ["phone": .string(new), "phone_verified": true])
    }

    private mutating func addIdentity(_ provider: String, _ data: [String: AuthJSON]) {
        guard let index = identities.firstIndex(where: { $0.provider == provider }) else {
            let data = data.merging(["sub": .string(id)]) { $1 }
            identities.append(Identity(provider: provider, providerID: id, data: data))
            return
        }
        identities[index].data.merge(data) { $1 }
    }
}
