import AuthStreams
import Foundation
import Testing

/// Passwords, codes, links in mails and second factors, as far as the contract has an endpoint for them.
@Suite struct ServerPasswordTests {
    static let all = ServerContract(offering: [.passwords, .codes, .emailLinks, .secondFactors])
    private static let session = ServerFixture.session

    /// The requests that a call sends, each answered so.
    private func requests(
        _ answer: AuthHTTPResponse = ServerFixture.signedIn, _ contract: ServerContract = all,
        _ call: (ServerRepository) async throws(AuthError) -> Void
    ) async throws -> [AuthHTTPRequest] {
        let transport = AnsweringTransport([answer])
        try await call(ServerFixture.repository(transport, contract))
        return transport.requests
    }

    @Test func withoutAnEndpointNothingIsSent() async throws {
        let repository = ServerFixture.repository(AnsweringTransport([]))
        #expect([ProviderID.password, .code, .emailLink].allSatisfy { !repository.accepts($0) })
        #expect(repository.accepts(.kakao))
        let offering = ServerFixture.repository(AnsweringTransport([]), Self.all, accepting: [.kakao])
        #expect([ProviderID.password, .code, .emailLink, .kakao].allSatisfy(offering.accepts))
        #expect(!offering.accepts(.naver))
        let url = try #require(URL(string: "demo://link"))
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await repository.signIn(with: .password(email: "a@b.kr", "secret")) },
            { _ = try await repository.signIn(with: .code(to: "a@b.kr")) },
            { _ = try await repository.signUp(with: .password(email: "a@b.kr", "secret")) },
            { _ = try await repository.prepare(.emailLink(to: "a@b.kr", continueURL: url), in: nil) },
            { _ = try await repository.prepare(.passwordReset(to: "a@b.kr"), in: nil) },
            { _ = try await repository.prepare(.emailVerification, in: ServerFixture.session) },
            { _ = try await repository.apply(.setPassword(Secret("new")), to: ServerFixture.session) },
            { _ = try await repository.secondFactors(of: ServerFixture.session) },
            { _ = try await repository.apply(.addFactor(named: nil), to: ServerFixture.session) },
            { _ = try await repository.apply(.removeFactor("f"), to: ServerFixture.session) },
        ]
        for call in calls {
            do {
                try await call()
                Issue.record("It succeeded.")
            } catch { #expect((error as? AuthError)?.code == .unsupportedProvider) }
        }
    }

    @Test func passwordsHaveTheirOwnPaths() async throws {
        let credential = Credential.password(email: "minji@example.com", "pass word")
        let signIn = try await requests { repository throws(AuthError) in
            #expect(try await repository.signIn(with: credential).provider == .password)
        }
        #expect(signIn.map(\.line) == ["POST https://api.example.com/v1/auth/password"])
        #expect(signIn.first?.json == ["email": "minji@example.com", "password": "pass word"])
        let signUp = try await requests { repository throws(AuthError) in
            var person = credential
            person.members = ["nickname": Secret("민지"), "device.id": Secret("d1")]
            _ = try await repository.signUp(with: person)
        }
        #expect(signUp.map(\.line) == ["POST https://api.example.com/v1/auth/sign-up"])
        #expect(
            signUp.first?.json
                == ["email": "minji@example.com", "password": "pass word", "nickname": "민지", "device": ["id": "d1"]])
        // Elsewhere the provider is named.
        let link = try await requests(.json(#"{"user":{"id":"u1"}}"#)) { repository throws(AuthError) in
            _ = try await repository.link(credential, to: Self.session)
        }
        #expect(
            link.first?.json == ["provider": "password", "email": "minji@example.com", "password": "pass word"])
    }

    @Test func aMemberOfTheContractIsNeverReplaced() async throws {
        for name in ["email", "password", "", "email.x"] {
            var credential = Credential.password(email: "minji@example.com", "pass word")
            credential.members = [name: Secret("mine")]
            let repository = ServerFixture.repository(AnsweringTransport([]), Self.all)
            let error = try await serverFailure { [credential] () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
            #expect(error.code == .misconfigured && error.explanation.contains("'\(name)'"))
            #expect(!error.debugDescription.contains("mine"))
        }
    }

    @Test func aCodeIsAskedForByAddressOrNumber() async throws {
        for (address, name) in [("minji@example.com", "email"), ("+821012345678", "phone")] {
            let transport = AnsweringTransport([.json(#"{"challenge":\#(ServerChallengeTests.code)}"#)])
            let repository = ServerFixture.repository(transport, Self.all)
            let error = try await serverFailure { () throws(AuthError) in
                try await repository.signIn(with: .code(to: address))
            }
            #expect(error.challenge?.kind == .code && error.provider == .code)
            #expect(transport.requests.map(\.line) == ["POST https://api.example.com/v1/auth/code"])
            #expect(transport.requests.first?.json == [name: .string(address)])
        }
    }

    @Test func aLinkIsMailedAndItsCodeSignsIn() async throws {
        let url = try #require(URL(string: "https://example.com/open"))
        let mail = try await requests(AuthHTTPResponse(status: 204)) { repository throws(AuthError) in
            let answer = try await repository.prepare(.emailLink(to: "minji@example.com", continueURL: url), in: nil)
            #expect(answer == .null)
        }
        #expect(mail.map(\.line) == ["POST https://api.example.com/v1/auth/email-link"])
        #expect(mail.first?.json == ["email": "minji@example.com", "continueURL": "https://example.com/open"])
        #expect(mail.first?.headers[.authorization] == nil)
        let signIn = try await requests { repository throws(AuthError) in
            var credential = Credential(provider: .emailLink, authorizationCode: .init(code: Secret("oob.1")))
            credential.address = "minji@example.com"
            _ = try await repository.signIn(with: credential)
        }
        #expect(signIn.map(\.line) == ["POST https://api.example.com/v1/auth/sign-in"])
        #expect(
            signIn.first?.json == ["provider": "emailLink", "code": "oob.1", "email": "minji@example.com"])
    }

    @Test func mailsAreAskedFor() async throws {
        let reset = try await requests(AuthHTTPResponse(status: 204)) { repository throws(AuthError) in
            _ = try await repository.prepare(.passwordReset(to: "minji@example.com"), in: nil)
        }
        #expect(reset.map(\.line) == ["POST https://api.example.com/v1/auth/password/reset"])
        #expect(reset.first?.json == ["email": "minji@example.com"])
        // It does not tell who has an account.
        _ = try await requests(.problem("/p/user-not-found", status: 404)) { repository throws(AuthError) in
            _ = try await repository.prepare(.passwordReset(to: "nobody@example.com"), in: nil)
        }
        let verification = try await requests(AuthHTTPResponse(status: 204)) { repository throws(AuthError) in
            _ = try await repository.prepare(.emailVerification, in: Self.session)
        }
        #expect(verification.map(\.line) == ["POST https://api.example.com/v1/auth/email-verification"])
        #expect(verification.first?.headers[.authorization] == "Bearer old+access")
    }

    @Test(arguments: [
        AuthHTTPResponse(status: 204), .json(#"{"accessToken":"at","user":{"id":"u1"}}"#),
        .json(#"{"user":{"id":"u1"}}"#),
    ])
    func aPasswordIsChanged(answer: AuthHTTPResponse) async throws {
        let sent = try await requests(answer) { repository throws(AuthError) in
            let session = try await repository.apply(.setPassword(Secret("new one")), to: Self.session)
            #expect(session.user.id == "u1" && session.refreshToken == Secret("old+refresh"))
        }
        #expect(sent.map(\.line) == ["PUT https://api.example.com/v1/auth/password"])
        #expect(sent.first?.json == ["password": "new one"])
        #expect(sent.first?.headers[.authorization] == "Bearer old+access")
    }

    @Test func aWeakPasswordIsInvalidInput() async throws {
        let repository = ServerFixture.repository(
            AnsweringTransport([.problem("/p/invalid-input", status: 422)]), Self.all)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signUp(with: .password(email: "minji@example.com", "123"))
        }
        #expect(error.code == .invalidInput && error.challenge == nil)
    }

    @Test func factorsAreListedAddedAndRemoved() async throws {
        let list = try await requests(.json(#"{"factors":[{"id":"f1","kind":"totp","name":"Phone"}]}"#)) {
            repository throws(AuthError) in
            let factors = try await repository.secondFactors(of: Self.session)
            #expect(factors == [.init(id: "f1", kind: "totp", name: "Phone")])
        }
        #expect(list.map(\.line) == ["GET https://api.example.com/v1/auth/factors"])
        _ = try await requests(.json(#"{"factors":[]}"#)) { repository throws(AuthError) in
            #expect(try await repository.secondFactors(of: Self.session).isEmpty)
        }
        let enroll = try await requests(AuthHTTPResponse(status: 204)) { repository throws(AuthError) in
            _ = try await repository.apply(.addFactor(named: "Phone"), to: Self.session)
        }
        #expect(enroll.map(\.line) == ["POST https://api.example.com/v1/auth/factors"])
        #expect(enroll.first?.json == ["name": "Phone"])
        let remove = try await requests(AuthHTTPResponse(status: 204)) { repository throws(AuthError) in
            _ = try await repository.apply(.removeFactor("f/1"), to: Self.session)
        }
        #expect(remove.map(\.line) == ["DELETE https://api.example.com/v1/auth/factors/f%2F1"])
        #expect(remove.first?.body == nil)
        var contract = Self.all
        contract.removeSecondFactor = .init(.post, "mfa/remove")
        let named = try await requests(AuthHTTPResponse(status: 204), contract) { repository throws(AuthError) in
            _ = try await repository.apply(.removeFactor("f/1"), to: Self.session)
        }
        #expect(named.first?.json == ["factor": "f/1"])
    }

    @Test func anEnrollmentShowsItsSecretByAChallenge() async throws {
        let transport = AnsweringTransport([
            .json(
                #"{"challenge":{"kind":"enrollment","token":"t","secret":"ABC","uri":"otpauth://totp/x","length":8}}"#),
            AuthHTTPResponse(status: 204),
        ])
        let repository = ServerFixture.repository(transport, Self.all)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.apply(.addFactor(named: nil), to: Self.session)
        }
        let challenge = try #require(error.challenge)
        #expect(challenge.step == .enrollment(.init(secret: Secret("ABC"), url: Secret("otpauth://totp/x"), length: 8)))
        let session = try await repository.answer(challenge, with: .code(Secret("12345678")), in: Self.session)
        #expect(session.accessToken == Self.session.accessToken)
        #expect(transport.requests.last?.headers[.authorization] == "Bearer old+access")
    }
}
