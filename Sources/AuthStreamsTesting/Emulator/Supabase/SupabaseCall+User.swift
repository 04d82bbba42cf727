import AuthStreams
import Foundation

/// Changes of a user, and their second factors (`user.go`, `identity.go`, `mfa.go`).
extension SupabaseCall {
    /// Changes the caller. A new password ends their other sessions.
    func update() throws(SupabaseError) -> AuthJSON {
        let (caller, session) = try caller()
        let body = try body()
        let change = try change(of: caller, session, body)
        var user = caller
        if let password = change.password {
            try checkNewPassword(password, of: &user, session, body)
            user.password = password
        }
        user.take(body["data"]?.object ?? [:])
        user.metadata = user.metadata.filter { $0.value != .null }
        if let email = change.email {
            user.newEmail = email
            let confirms = rules.confirmsEmail || !user.isAnonymous
            if confirms { try send(.emailChange, to: &user) } else { user.take(email: email, at: now) }
        }
        if let phone = change.phone {
            user.newPhone = phone
            if rules.confirmsPhone { try send(.phoneChange, to: &user) } else { user.take(phone: phone, at: now) }
        }
        state.withLock { [user] state in
            state[user.id] = user
            if change.password != nil { state.endSessions(of: user.id) { $0.id != session.id } }
        }
        return user.json
    }

    /// A user's new password, address and number; `nil` for what is not given, and for an address or a number that stays.
    private struct Change {
        let password, email, phone: String?
        var isEmpty: Bool { password == nil && email == nil && phone == nil }
    }

    /// Returns the change in a body, if the user may make it and no other user has the address or the number.
    private func change(
        of user: SupabaseUser, _ session: SupabaseSession, _ body: [String: AuthJSON]
    ) throws(SupabaseError) -> Change {
        let sent = SupabaseContact(in: body)
        let change = Change(
            password: body["password"]?.text == nil ? nil : try password(in: body),
            email: sent.email == user.email ? nil : sent.email, phone: sent.phone == user.phone ? nil : sent.phone)
        guard change.isEmpty || !user.hasSecondFactor || session.level == "aal2" else {
            throw SupabaseError(
                "insufficient_aal",
                "AAL2 session is required to update email or password when MFA is enabled.", status: 401)
        }
        if user.isAnonymous, change.password != nil, sent.email == nil, body["phone"] == nil {
            throw SupabaseError(
                "validation_failed",
                "Updating password of an anonymous user without an email or phone is not allowed", status: 422)
        }
        if let email = change.email, state.withLock({ $0.user(email: email) }) != nil {
            throw SupabaseError("email_exists", "A user with this email address has already been registered")
        }
        if let phone = change.phone, state.withLock({ $0.user(phone: phone) }) != nil {
            throw SupabaseError("phone_exists", "A user with this phone number has already been registered")
        }
        return change
    }

    /// Checks a new password by the project's rules, and takes the code of a reauthentication, if they require one.
    private func checkNewPassword(
        _ password: String, of user: inout SupabaseUser, _ session: SupabaseSession, _ body: [String: AuthJSON]
    ) throws(SupabaseError) {
        if rules.requiresReauthentication, now.timeIntervalSince(session.createdAt) > 86_400 {
            try takeNonce(body["nonce"]?.text, of: &user)
        }
        guard let current = user.password else { return }
        let given = body["current_password"]?.text
        guard !rules.requiresCurrentPassword || given == current else {
            throw SupabaseError(
                given == nil ? "current_password_required" : "current_password_invalid",
                "Current password required when setting new password.")
        }
        guard password != current else {
            throw SupabaseError("same_password", "New password should be different from the old password.")
        }
    }

    /// Takes the code of a reauthentication, which is used up even if the change is refused later.
    private func takeNonce(_ nonce: String?, of user: inout SupabaseUser) throws(SupabaseError) {
        guard let nonce else {
            throw SupabaseError("reauthentication_needed", "Password update requires reauthentication")
        }
        let recipient = user.email ?? user.phone ?? ""
        guard user.codes[.reauthentication]?.hash == Self.hash(of: nonce, sentTo: recipient) else {
            throw SupabaseError("reauthentication_not_valid", "Nonce has expired or is invalid")
        }
        user.codes[.reauthentication] = nil
        state.withLock { [id = user.id] in _ = $0.update(id) { $0.codes[.reauthentication] = nil } }
    }

    func removeIdentity(_ id: String) throws(SupabaseError) -> AuthJSON {
        let user = try caller().user
        guard rules.allowsManualLinking else {
            throw SupabaseError("manual_linking_disabled", "Manual linking is disabled")
        }
        guard user.identities.count > 1 else {
            throw SupabaseError("single_identity_not_deletable", "User must have at least 1 identity after unlinking")
        }
        guard let index = user.identities.firstIndex(where: { $0.id == id }) else {
            throw SupabaseError("identity_not_found", "Identity doesn't exist")
        }
        let confirms = rules.confirmsEmail
        try state.withLock { (state) throws(SupabaseError) in
            var user = user
            let removed = user.identities.remove(at: index)
            if removed.provider == "phone" {
                (user.phone, user.phoneConfirmedAt) = (nil, nil)
            } else {
                try state.chooseEmail(of: &user, confirming: confirms)
            }
            state[user.id] = user
        }
        return [:]
    }

    // MARK: Second factors

    /// The caller, who may have second factors.
    private func member() throws(SupabaseError) -> (user: SupabaseUser, session: SupabaseSession) {
        let caller = try caller()
        guard !caller.user.isAnonymous else {
            throw SupabaseError("no_authorization", "Anonymous user not allowed to perform these actions", status: 403)
        }
        return caller
    }

    private func index(of factor: String, in user: SupabaseUser) throws(SupabaseError) -> Int {
        guard let index = user.factors.firstIndex(where: { $0.id == factor }) else {
            throw SupabaseError("mfa_factor_not_found", "Factor not found")
        }
        return index
    }

    func enroll() throws(SupabaseError) -> AuthJSON {
        let (caller, session) = try member()
        var user = caller
        let body = try body()
        guard body["factor_type"]?.text == "totp" else {
            throw SupabaseError("validation_failed", "factor_type needs to be totp, phone, or webauthn")
        }
        guard rules.allowsAuthenticatorApps else {
            throw SupabaseError("mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP")
        }
        let name = body["friendly_name"]?.string ?? ""
        // One whose first code was never sent is forgotten after five minutes.
        user.factors.removeAll { !$0.isVerified && now.timeIntervalSince($0.createdAt) > 300 }
        guard !user.factors.contains(where: { $0.name == name }) else {
            throw SupabaseError(
                "mfa_factor_name_conflict", "A factor with the friendly name \"\(name)\" for this user already exists")
        }
        guard user.factors.count < 10 else {
            throw SupabaseError(
                "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue")
        }
        guard !user.hasSecondFactor || session.level == "aal2" else {
            throw SupabaseError("insufficient_aal", "AAL2 required to enroll a new factor", status: 403)
        }
        let factor = SupabaseUser.Factor(name: name, secret: AuthenticatorApp.makeSecret(), createdAt: now)
        user.factors.append(factor)
        save(user)
        let host = EmulatorConfiguration.Supabase.host
        let account = FormCoding.escape(user.email ?? "")
        let query = "algorithm=SHA1&digits=6&issuer=\(host)&period=30&secret=\(factor.secret.reveal())"
        return [
            "id": .string(factor.id), "type": "totp", "friendly_name": .string(name),
            "totp": [
                "qr_code": "<svg/>", "secret": .string(factor.secret.reveal()),
                "uri": .string("otpauth://totp/\(host):\(account)?\(query)"),
            ],
        ]
    }

    func challenge(_ factor: String) throws(SupabaseError) -> AuthJSON {
        _ = try index(of: factor, in: try member().user)
        let (id, now) = (UUID().uuidString.lowercased(), now)
        state.withLock { $0.challenges[id] = (factor, now) }
        let expiry = now.timeIntervalSince1970 + rules.challengeLifetime / .seconds(1)
        return ["id": .string(id), "type": "totp", "expires_at": .integer(Int64(expiry))]
    }

    func verifyFactor(_ factor: String) throws(SupabaseError) -> AuthJSON {
        let (caller, session) = try member()
        var user = caller
        let (index, body) = (try index(of: factor, in: user), try body())
        guard let id = body["challenge_id"]?.text, let challenge = state.withLock({ $0.challenges[id] }),
            challenge.factor == factor
        else {
            throw SupabaseError(
                "mfa_factor_not_found", "MFA factor with the provided challenge ID not found", status: 422)
        }
        guard now.timeIntervalSince(challenge.at) <= rules.challengeLifetime / .seconds(1) else {
            throw SupabaseError("mfa_challenge_expired", "MFA challenge has expired")
        }
        // One step before and after; GoTrue takes a code again.
        guard let code = body["code"]?.text, let app = AuthenticatorApp(secret: user.factors[index].secret),
            app.step(of: code, at: now, after: nil) != nil
        else { throw SupabaseError("mfa_verification_failed", "Invalid TOTP code entered") }
        user.factors[index].isVerified = true
        user.factors.removeAll { !$0.isVerified }
        let now = now
        let next = state.withLock { [user] state in
            state[user.id] = user
            state.challenges[id] = nil
            let next = state.advance(session.id, by: 2) {
                $0.methods.append(("totp", now))
                $0.factorID = factor
            }
            state.endSessions(of: user.id) { $0.factorID == nil }
            return next
        }
        return tokens(of: next ?? session)
    }

    func removeFactor(_ factor: String) throws(SupabaseError) -> AuthJSON {
        let (caller, session) = try member()
        var user = caller
        let index = try index(of: factor, in: user)
        guard !user.factors[index].isVerified || session.level == "aal2" else {
            throw SupabaseError("insufficient_aal", "AAL2 required to unenroll verified factor", status: 422)
        }
        user.factors.remove(at: index)
        state.withLock { [user] state in
            state[user.id] = user
            for session in state.sessions.all(named: user.id) where session.factorID == factor {
                state.sessions.update(session.id) { session in
                    session.factorID = nil
                    session.methods.removeAll { $0.name == "totp" }
                }
            }
        }
        return ["id": .string(factor)]
    }
}
