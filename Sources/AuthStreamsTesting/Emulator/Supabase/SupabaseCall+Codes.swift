import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Sign-ups, codes and mails (`signup.go`, `otp.go`, `magic_link.go`, `recover.go`, `resend.go`, `verify.go`).
extension SupabaseCall {
    /// The number in a body, without its plus sign (`phone.go`: `formatPhoneNumber`).
    static func phone(in body: [String: AuthJSON]) -> String? {
        body["phone"]?.text.map { $0.replacing("+", with: "").replacing(" ", with: "") }
    }

    private func known(_ email: String?, _ phone: String?) -> SupabaseUser? {
        state.withLock { state in email.flatMap(state.user(email:)) ?? phone.flatMap(state.user(phone:)) }
    }

    func signUp() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let (email, phone) = (body["email"]?.text?.lowercased(), Self.phone(in: body))
        guard email != nil || phone != nil else {
            guard rules.allowsAnonymousUsers else {
                throw SupabaseError("anonymous_provider_disabled", "Anonymous sign-ins are disabled")
            }
            var user = SupabaseUser(at: now)
            user.isAnonymous = true
            state.withLock { $0[user.id] = user }
            return begin(user, by: "anonymous")
        }
        let password = try password(in: body)
        let known = known(email, phone)
        guard known?.isConfirmed != true else {
            guard phone == nil ? rules.confirmsEmail : rules.confirmsPhone else {
                throw SupabaseError("user_already_exists", "User already registered")
            }
            // A made-up user, so that the answer does not tell who has an account.
            var madeUp = SupabaseUser(at: now)
            madeUp.email = email
            return madeUp.json
        }
        var user = known ?? SupabaseUser(at: now, email, phone)
        if known == nil { user.password = password }
        let confirms = phone == nil ? rules.confirmsEmail : rules.confirmsPhone
        if !confirms {
            if email != nil { user.emailConfirmedAt = now } else { user.phoneConfirmedAt = now }
        } else {
            try send(phone == nil ? .confirmation : .sms, to: &user)
        }
        state.withLock { [user] in $0[user.id] = user }
        return confirms ? user.json : begin(user, by: "password")
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
        let (email, phone) = (body["email"]?.text?.lowercased(), Self.phone(in: body))
        guard email != nil || phone != nil else {
            throw SupabaseError("validation_failed", "One of email or phone must be set")
        }
        let known = known(email, phone)
        guard known != nil || body["create_user"]?.bool ?? true else {
            throw SupabaseError("otp_disabled", "Signups not allowed for otp")
        }
        var user = known ?? SupabaseUser(at: now, email, phone)
        // The mail of a sign-up has the same code and link.
        try send(phone != nil ? .sms : user.isConfirmed ? .recovery : .confirmation, to: &user)
        state.withLock { [user] in $0[user.id] = user }
        return [:]
    }

    func recover() throws(SupabaseError) -> AuthJSON {
        guard let email = try body()["email"]?.text else {
            throw SupabaseError("validation_failed", "Password recovery requires an email")
        }
        guard var user = state.withLock({ $0.user(email: email) }) else { return [:] }
        try send(.recovery, to: &user, as: .passwordReset)
        state.withLock { [user] in $0[user.id] = user }
        return [:]
    }

    func resend() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let (email, phone) = (body["email"]?.text?.lowercased(), Self.phone(in: body))
        let type = body["type"]?.text ?? ""
        // By the address or number before a change.
        let known = known(email, phone)
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
        state.withLock { [user] in $0[user.id] = user }
        return [:]
    }

    func reauthenticate() throws(SupabaseError) -> AuthJSON {
        var user = try caller().user
        guard user.email != nil || user.phone != nil else {
            throw SupabaseError(
                "validation_failed", "Reauthentication requires the user to have an email or a phone number")
        }
        try send(.reauthentication, to: &user)
        state.withLock { [user] in $0[user.id] = user }
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
        let type = body["type"]?.text ?? ""
        let refusal = SupabaseError("otp_expired", "Token has expired or is invalid")
        let (email, phone) = (body["email"]?.text?.lowercased(), Self.phone(in: body))
        let hash: String
        if let given = body["token_hash"]?.text {
            guard body["email"] == nil, body["phone"] == nil else {
                throw SupabaseError("validation_failed", "Only the token_hash and type should be provided")
            }
            hash = given
        } else {
            guard let code = body["token"]?.text, let recipient = phone ?? email else {
                throw SupabaseError("validation_failed", "Verify requires either a token or a token hash")
            }
            hash = Self.hash(of: code, sentTo: recipient)
        }
        let purposes: [SupabaseMail.Purpose]
        switch type {
        case "email": purposes = [.confirmation, .recovery]
        case "signup": purposes = [.confirmation]
        case "magiclink", "recovery": purposes = [.recovery]
        case "sms": purposes = [.sms]
        case "email_change": purposes = [.emailChange]
        case "phone_change": purposes = [.phoneChange]
        default: throw SupabaseError("validation_failed", "Unsupported verification type")
        }
        let (now, lifetime) = (now, rules.codeLifetime / .seconds(1))
        let user = try state.withLock { (state) throws(SupabaseError) in
            let found = state.users.all(named: hash).lazy.compactMap { user in
                purposes.first { user.codes[$0]?.hash == hash }.map { (user, $0) }
            }.first
            guard let (found, purpose) = found, let sent = found.codes[purpose],
                now.timeIntervalSince(sent.at) <= lifetime
            else { throw refusal }
            guard !found.isBanned else { throw SupabaseError("user_banned", "User is banned", status: 403) }
            var user = found
            user.confirm(purpose, at: now)
            state[user.id] = user
            return user
        }
        return begin(user, by: "otp")
    }
}

extension SupabaseUser {
    /// Makes the user of an address or a number.
    fileprivate init(at now: Date, _ email: String?, _ phone: String?) {
        self.init(at: now)
        (self.email, self.phone) = (email, phone)
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
