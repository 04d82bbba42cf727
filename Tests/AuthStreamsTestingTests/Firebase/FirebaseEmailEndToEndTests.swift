import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Passwords, mails and mail links, from the service to the emulated project.
@Suite struct FirebaseEmailEndToEndTests {
    private static let address = "minji@example.com"
    private static let password = "correct horse"

    private func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (FirebaseVisit) async throws -> Void
    ) async throws {
        try await EmulatedBackend.run(change) { backend in try await body(FirebaseVisit(backend)) }
    }

    private func signUp(_ visit: FirebaseVisit) async throws -> AuthUser {
        try await visit.auth.signUp(credential: .password(email: Self.address, Self.password)).value.user
    }

    // MARK: Passwords

    @Test func aPersonSignsUpAndInByAPassword() async throws {
        try await run { visit in
            let result = try await visit.auth.signUp(credential: .password(email: Self.address, Self.password)).value
            #expect(result.isNewUser && result.user.email == Self.address && !result.user.isEmailVerified)
            #expect(result.user.providers.map(\.id) == [.password])
            #expect(visit.auth.state.user?.id == result.user.id)
            try await visit.auth.signOut()
            let again = try await visit.auth.signIn(
                credential: .password(email: "MINJI@example.com", Self.password)
            ).value
            #expect(!again.isNewUser && again.user.id == result.user.id)
            visit.clock.advance(by: .seconds(3601))
            _ = try await visit.auth.accessToken()
            #expect(visit.firebase.users.count == 1)
        }
    }

    @Test(arguments: [true, false]) func aWrongAddressAndAWrongPasswordAreOneError(isProtected: Bool) async throws {
        try await run {
            $0.firebase.protectsAddresses = isProtected
        } _: { visit in
            _ = try await signUp(visit)
            try await visit.auth.signOut()
            var errors: [AuthError] = []
            for credential in [
                Credential.password(email: Self.address, "wrong horse"), .password(email: "a@b.example", Self.password),
            ] {
                errors.append(try await visit.error { try await $0.signIn(credential: credential).value })
            }
            #expect(errors[0] == errors[1] && errors[0].code == .invalidCredential)
            #expect(visit.auth.user == nil)
        }
    }

    @Test func aSignUpMayBeRefused() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            try await visit.auth.signOut()
            let rows: [(String, String, AuthError.Code)] = [
                (Self.address, Self.password, .accountExists), ("a@b.example", "short", .invalidInput),
                ("not an address", Self.password, .invalidInput), ("a@b.example", "", .invalidInput),
            ]
            for (email, password, code) in rows {
                let error = try await visit.error {
                    try await $0.signUp(credential: .password(email: email, password)).value
                }
                #expect(error.code == code && error.operation == .signUp)
                #expect(password != "short" || error.serverMessage == "Password should be at least 6 characters")
                #expect(error.conflict?.email == (code == .accountExists ? Self.address : nil))
            }
            #expect(visit.firebase.users.count == 1)
        }
    }

    @Test func aProjectWithoutPasswordsAndMailLinksIsMisconfigured() async throws {
        try await run {
            ($0.firebase.allowsPasswords, $0.firebase.allowsMailLinks) = (false, false)
        } _: { visit in
            let credential = Credential.password(email: Self.address, Self.password)
            for error in [
                try await visit.error { try await $0.signUp(credential: credential).value },
                try await visit.error { try await $0.signIn(credential: credential).value },
            ] { #expect(error.code == .misconfigured) }
            let error = await error { () throws(AuthError) in
                _ = try await visit.repository.prepare(.emailLink(to: Self.address, continueURL: visit.appURL), in: nil)
            }
            #expect(error?.code == .misconfigured)
        }
    }

    /// The prompt of ``PasswordProvider`` is asked again while the project refuses what was entered.
    @Test func aPasswordIsAskedForUntilItIsRight() async throws {
        try await run { visit in
            let user = try await signUp(visit)
            try await visit.auth.signOut()
            let entered = Lock(["not an address", Self.address, Self.address])
            let presenter = visit.auth.presenting { prompt in
                guard let form = prompt?.form, let email = entered.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
                else { return }
                let isLast = entered.withLock(\.isEmpty)
                form.submit(["email": email, "password": isLast ? Self.password : "wrong horse"])
            }
            defer { presenter.cancel() }
            #expect(try await visit.auth.signIn(with: .password).value.user.id == user.id)
        }
    }

    @Test func anAnonymousUserKeepsTheirAccountWithAPassword() async throws {
        try await run { visit in
            let anonymous = try await visit.auth.signInAnonymously().value.user
            let credential = Credential.password(email: Self.address, Self.password)
            let user = try await visit.auth.link(credential: credential).value
            #expect(user.id == anonymous.id && !user.isAnonymous && user.email == Self.address)
            try await visit.auth.signOut()
            #expect(try await visit.auth.signIn(credential: credential).value.user.id == anonymous.id)
        }
    }

    @Test func aPasswordProvesWhoDeletesTheAccount() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            visit.clock.advance(by: .seconds(600))
            let presenter = visit.auth.presenting { $0?.form?.submit(["password": Self.password]) }
            defer { presenter.cancel() }
            try await visit.auth.deleteAccount().value
            #expect(visit.firebase.users.isEmpty && visit.auth.user == nil)
        }
    }

    @Test func tooManyAttemptsAreToldAsSuch() async throws {
        try await run { visit in
            let emulator = visit.backend.emulator
            for endpoint in [EmulatorEndpoint.signInWithPassword, .signInWithEmailLink, .sendOobCode] {
                emulator.inject(.error("TOO_MANY_ATTEMPTS_TRY_LATER"), at: endpoint)
            }
            // The service would wait, and try again.
            for credential in [Credential.password(email: Self.address, "wrong horse"), Self.lateLink] {
                let error = await error { () throws(AuthError) in try await visit.repository.signIn(with: credential) }
                #expect(error?.code == .rateLimited)
            }
            let error = try await visit.error { try await $0.sendPasswordReset(to: Self.address) }
            #expect(error.code == .rateLimited)
        }
    }

    private static var lateLink: Credential {
        var credential = Credential(provider: .emailLink, authorizationCode: .init(code: Secret("late-code")))
        credential.address = address
        return credential
    }

    // MARK: Mails

    @Test func aResetSetsANewPasswordOnceAndEndsTheSessions() async throws {
        try await run { visit in
            let user = try await signUp(visit)
            visit.clock.advance(by: .seconds(10))
            try await visit.auth.sendPasswordReset(to: Self.address)
            try await visit.auth.sendPasswordReset(to: "nobody@example.com")
            let mail = try #require(visit.firebase.mails.last)
            #expect(visit.firebase.mails.count == 1 && mail.kind == .passwordReset && mail.address == Self.address)
            #expect(try await visit.reset(by: mail, to: "short") == "WEAK_PASSWORD")
            #expect(try await visit.reset(by: mail, to: "another horse") == nil)
            #expect(try await visit.reset(by: mail, to: "third horse") == "INVALID_OOB_CODE")
            // The code was sent to the address.
            #expect(visit.firebase[user.id]?.isEmailVerified == true)
            let error = try await visit.error { try await $0.accessToken(forceRefresh: true) }
            #expect(error.code == .sessionExpired && visit.auth.user == nil)
            let old = try await visit.error {
                try await $0.signIn(credential: .password(email: Self.address, Self.password)).value
            }
            #expect(old.code == .invalidCredential)
            let new = Credential.password(email: Self.address, "another horse")
            #expect(try await visit.auth.signIn(credential: new).value.user.id == user.id)
        }
    }

    @Test func aResetExpiresAndANewOneReplacesIt() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            try await visit.auth.sendPasswordReset(to: Self.address)
            try await visit.auth.sendPasswordReset(to: Self.address)
            let mails = visit.firebase.mails
            try #require(mails.count == 2)
            #expect(try await visit.reset(by: mails[0], to: "another horse") == "INVALID_OOB_CODE")
            visit.clock.advance(by: .seconds(3600))
            #expect(try await visit.reset(by: mails[1], to: "another horse") == "EXPIRED_OOB_CODE")
        }
    }

    /// A project that tells who has an account is no reason for the app to do so.
    @Test func aResetTellsNobodyWhoHasAnAccount() async throws {
        try await run {
            $0.firebase.protectsAddresses = false
        } _: { visit in
            try await visit.auth.sendPasswordReset(to: Self.address)
            #expect(visit.firebase.mails.isEmpty)
        }
    }

    @Test func aVerifiedAddressIsSeenAfterAReload() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            try await visit.auth.sendEmailVerification()
            let mail = try #require(visit.firebase.mails.last)
            #expect(mail.kind == .verification)
            #expect(visit.auth.user?.isEmailVerified == false)
            #expect(try await visit.open(mail).title == "Your address is verified")
            #expect(try await visit.auth.reload().value.isEmailVerified)
            #expect(try await visit.open(mail).title == "This app cannot sign you in", "It works once.")
        }
    }

    @Test func aChangeOfThePasswordAsksForARecentSignIn() async throws {
        try await run { visit in
            let user = try await signUp(visit)
            let other = try await visit.repository.signIn(with: .password(email: Self.address, Self.password))
            visit.clock.advance(by: .seconds(600))
            let presenter = visit.auth.presenting { $0?.form?.submit(["password": Self.password]) }
            defer { presenter.cancel() }
            #expect(try await visit.auth.changePassword(to: "another horse").value.id == user.id)
            _ = try await visit.auth.accessToken(forceRefresh: true)
            let ended = await error { () throws(AuthError) in try await visit.repository.refresh(other) }
            #expect(ended?.code == .sessionExpired)
            let weak = try await visit.error { try await $0.changePassword(to: "short").value }
            #expect(weak.code == .invalidInput && visit.auth.user?.id == user.id)
            try await visit.auth.signOut()
            let new = Credential.password(email: Self.address, "another horse")
            #expect(try await visit.auth.signIn(credential: new).value.user.id == user.id)
        }
    }

    // MARK: Mail links

    @Test func aMailLinkSignsInOnce() async throws {
        try await run { visit in
            let mail = try await visit.sendLink(to: Self.address)
            let url = try #require(try await visit.open(mail).redirect)
            #expect(url == mail.continueURL && url.host() == "app.example" && url.query()?.contains("x=1") == true)
            let result = try await visit.auth.signIn(credential: mail.credential).value
            #expect(result.isNewUser && result.user.isEmailVerified && result.user.providers.map(\.id) == [.emailLink])
            let used = try await visit.error { try await $0.signIn(credential: mail.credential).value }
            #expect(used.code == .invalidCredential && used.serverCode == "INVALID_OOB_CODE")
            #expect(visit.auth.user?.id == result.user.id)
        }
    }

    @Test func aMailLinkIsOfItsAddressAndItsTime() async throws {
        try await run { visit in
            var mail = try await visit.sendLink(to: Self.address)
            var credential = mail.credential
            credential.address = "other@example.com"
            let other = try await visit.error { [credential] in try await $0.signIn(credential: credential).value }
            #expect(other.code == .invalidCredential && other.explanation.contains("another address"))
            // The refusal has not used it up.
            _ = try await visit.auth.signIn(credential: mail.credential).value
            let replaced = try await visit.sendLink(to: Self.address)
            mail = try await visit.sendLink(to: Self.address)
            let old = try await visit.error { try await $0.signIn(credential: replaced.credential).value }
            #expect(old.serverCode == "INVALID_OOB_CODE")
            visit.clock.advance(by: .seconds(6 * 3600))
            let late = try await visit.error { [mail] in try await $0.signIn(credential: mail.credential).value }
            #expect(late.code == .invalidCredential && late.serverCode == "EXPIRED_OOB_CODE")
        }
    }

    @Test func aMailLinkIsLinkedAndProvesWhoThePersonIs() async throws {
        try await run { visit in
            let anonymous = try await visit.auth.signInAnonymously().value.user
            let mail = try await visit.sendLink(to: Self.address)
            let linked = try await visit.auth.link(credential: mail.credential).value
            #expect(linked.id == anonymous.id && linked.providers.map(\.id) == [.emailLink])
            visit.clock.advance(by: .seconds(600))
            let again = try await visit.sendLink(to: Self.address)
            let user = try await visit.auth.reauthenticate(credential: again.credential).value
            #expect(user.id == anonymous.id)
            let foreign = try await visit.sendLink(to: "other@example.com")
            let error = try await visit.error { try await $0.reauthenticate(credential: foreign.credential).value }
            #expect(error.code == .credentialInUse && visit.firebase.users.count == 1, "No user is made.")
        }
    }

    /// Whoever made the account with the person's address has no way in any more.
    @Test func aMailLinkTakesAnUnverifiedAccountOver() async throws {
        try await run { visit in
            let user = try await signUp(visit)
            try await visit.auth.signOut()
            let mail = try await visit.sendLink(to: Self.address)
            #expect(try await visit.auth.signIn(credential: mail.credential).value.user.id == user.id)
            try await visit.auth.signOut()
            let error = try await visit.error {
                try await $0.signIn(credential: .password(email: Self.address, Self.password)).value
            }
            #expect(error.code == .invalidCredential)
        }
    }

    @Test(arguments: ["https://elsewhere.example/x", "app:/x"])
    func aLinkContinuesAtAuthorizedDomainsAlone(text: String) async throws {
        try await run { visit in
            let url = try #require(URL(string: text))
            let error = await error { () throws(AuthError) in
                try await visit.repository.prepare(.emailLink(to: Self.address, continueURL: url), in: nil)
            }
            #expect(error?.code == .misconfigured && visit.firebase.mails.isEmpty)
        }
    }

    /// The provider, from the mail to the callback.
    @Test func theLinkOfAMailEndsTheAttemptThatSentIt() async throws {
        try await EmulatedBackend.run { backend in
            let continueURL = try #require(URL(string: "https://app.example/signed-in"))
            let visit = FirebaseVisit(backend, providers: [.emailLink(continueURL: continueURL)])
            let attempt = Task { [auth = visit.auth] in
                try await auth.signIn(with: .emailLink, AuthRequest(loginHint: Self.address)).value
            }
            let mail = try await visit.nextMail()
            let link = try #require(try await visit.open(mail).redirect)
            #expect(visit.auth.handle(link))
            let user = try await attempt.value.user
            #expect(user.email == Self.address && user.isEmailVerified && user.providers.map(\.id) == [.emailLink])
        }
    }

    @Test func aProjectMayAuthorizeMoreDomains() async throws {
        try await run {
            $0.firebase.authorizedDomains.insert("elsewhere.example")
        } _: { visit in
            let url = try #require(URL(string: "https://elsewhere.example/x"))
            _ = try await visit.repository.prepare(.emailLink(to: Self.address, continueURL: url), in: nil)
            #expect(visit.firebase.mails.map(\.kind) == [.signIn])
        }
    }

    // MARK: Pages

    @Test func thePagesListMailsAndTakeANewPassword() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            try await visit.auth.sendPasswordReset(to: Self.address)
            let mail = try #require(visit.firebase.mails.last)
            let project = visit.backend.emulator.configuration.firebase
            let list = try await visit.send(.get, "https://\(project.actionHost)/emulator/mails")
            for text in [mail.address, mail.code.reveal(), "passwordReset"] { #expect(list.body.contains(text)) }
            let start = try await visit.send(.get, nil)
            #expect(start.body.contains("/\(project.actionHost)/emulator/mails"))
            #expect(try await visit.open(mail).title == "A new password")
            let form = FormCoding.encode([
                ("mode", "resetPassword"), ("oobCode", mail.code.reveal()), ("newPassword", "another horse"),
            ])
            let page = try await visit.send(.post, "https://\(project.actionHost)/__/auth/action", form: form)
            #expect(page.title == "Your password is changed")
            let new = Credential.password(email: Self.address, "another horse")
            _ = try await visit.auth.signIn(credential: new).value
        }
    }

    @Test func whatWasEnteredAndSentIsASecret() async throws {
        try await run { visit in
            _ = try await signUp(visit)
            let mail = try await visit.sendLink(to: Self.address)
            let secrets = visit.backend.emulator.issuedSecrets.filter(\.isProviderSecret).map(\.value)
            #expect(secrets.contains(Secret(Self.password)) && secrets.contains(mail.code))
            for value in [visit.firebase.users as Any, mail, visit.backend.emulator.journal.entries] {
                let told = everythingPrinted(of: value)
                #expect(!told.contains(Self.password) && !told.contains(mail.code.reveal()))
            }
        }
    }
}

extension EmulatedFirebase.Mail {
    /// The credential of the person who opens the link.
    var credential: Credential {
        var credential = Credential(provider: .emailLink, authorizationCode: .init(code: code), isBound: true)
        credential.address = address
        return credential
    }
}
