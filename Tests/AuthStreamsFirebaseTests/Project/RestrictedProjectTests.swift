import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// What goes with every request of a restricted project, and how an App Check closure can fail.
@Suite struct RestrictedProjectTests {
    private static let token = "app-check.token-secret"

    private func project(
        bundleID: String? = nil, _ appCheckToken: (@Sendable () async throws -> Secret?)? = nil
    ) -> FirebaseProject {
        FirebaseProject(id: "demo", apiKey: "key", bundleID: bundleID, appCheckToken: appCheckToken)
    }

    private func repository(
        _ project: FirebaseProject, _ transport: any AuthHTTPTransport, clock: AuthClock = Fixture.clock
    ) -> FirebaseRepository {
        FirebaseRepository(project: project, transport: transport, clock: clock)
    }

    @Test func bothGoWithEveryRequest() async throws {
        let project = project(bundleID: "com.example.app") { Secret(Self.token) }
        let transport = ScriptedTransport(
            Fixture.functionResult, Fixture.signedIn(user: nil), Fixture.account,
            .json(#"{"id_token":"\#(Fixture.idToken())"}"#), .json("{}"))
        let repository = repository(project, transport)
        let session = try await repository.signIn(with: Fixture.kakao)
        try await repository.deleteAccount(try await repository.refresh(session))
        #expect(
            transport.requests.map { $0.url.lastPathComponent } == [
                "socialLogin", "accounts:signInWithCustomToken", "accounts:lookup", "token", "accounts:delete",
            ])
        for request in transport.requests {
            #expect(request.headers["X-Ios-Bundle-Identifier"] == "com.example.app")
            #expect(request.headers["X-Firebase-AppCheck"] == Self.token)
        }
    }

    @Test(arguments: [nil, Secret("")])
    func withoutATokenTheFieldIsNotSent(token: Secret?) async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.account)
        _ = try await repository(project(bundleID: "") { token }, transport).signIn(with: Fixture.google)
        for request in transport.requests {
            #expect(request.headers["x-firebase-appcheck"] == nil)
            #expect(request.headers["x-ios-bundle-identifier"] == nil)
        }
    }

    // MARK: A closure that fails

    private func refreshError(
        _ appCheckToken: @escaping @Sendable () async throws -> Secret?
    ) async throws -> AuthError {
        // The script is empty: a request would be an issue.
        let repository = repository(project(appCheckToken), ScriptedTransport())
        return try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
    }

    @Test func anErrorOfThisLibraryPassesAndNothingIsSent() async throws {
        let error = try await refreshError { throw AuthError(.rateLimited, "Later.", retryAfter: .seconds(9)) }
        #expect(error.code == .rateLimited)
        #expect(error.retryAfter == .seconds(9))
    }

    @Test func aForeignErrorIsScrubbedAndSaysAppCheck() async throws {
        let error = try await refreshError {
            throw NSError(
                domain: "com.firebase.appCheck", code: 2, userInfo: [NSLocalizedDescriptionKey: "token \(Self.token)"])
        }
        #expect(error.code == .unexpected)
        #expect(error.cause?.domain == "com.firebase.appCheck")
        #expect(error.explanation.contains("App Check"))
        #expect(!error.debugDescription.contains(Self.token))
        #expect(try await refreshError { throw URLError(.notConnectedToInternet) }.code == .network)
    }

    @Test func aClosureThatSaysCancelledIsNotThePersonsCancel() async throws {
        #expect(try await refreshError { throw CancellationError() }.code == .unexpected)
        #expect(try await refreshError { throw AuthError(.cancelled, "Says who?") }.code == .unexpected)
    }

    @Test(arguments: [AuthError.Code.sessionExpired, .userNotFound, .userDisabled])
    func aClosureCannotEndASession(code: AuthError.Code) async throws {
        let error = try await refreshError { throw AuthError(code, "Says who?") }
        #expect(error.code == .unexpected)
        #expect(error.explanation.contains(code.rawValue))
    }

    @Test func aClosureThatHangsEndsAtTheLimit() async throws {
        let clock = ManualClock()
        var project = project {
            // Waits for ever, and does not end with its task either.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return nil
        }
        project.appCheckTimeLimit = .seconds(5)
        let repository = repository(
            project, ScriptedTransport(), clock: clock.authClock(startingAt: Fixture.now))
        let attempt = Task {
            try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        let error = try await attempt.value
        #expect(error.code == .timedOut)
        #expect(error.explanation.contains("App Check"))
        #expect(error.isRetryable)
    }

    @Test(arguments: [false, true])
    func cancellingEndsAtOnceWhateverTheClosureDoes(throughTheFunction: Bool) async throws {
        let asked = Promise<Void>()
        let project = project {
            asked.resolve(())
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return nil
        }
        let repository = repository(
            project, ScriptedTransport(), clock: ManualClock().authClock(startingAt: Fixture.now))
        let attempt = Task {
            try await failure { () throws(AuthError) in
                throughTheFunction
                    ? try await repository.signIn(with: Fixture.kakao) : try await repository.refresh(Fixture.session)
            }
        }
        await asked.value()
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
    }

    @Test func aClosureThatIsTooLateIsToldToStop() async throws {
        let clock = ManualClock()
        let stopped = Promise<Void>()
        let project = project {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            } onCancel: {
                stopped.resolve(())
            }
            return nil
        }
        let repository = repository(
            project, ScriptedTransport(), clock: clock.authClock(startingAt: Fixture.now))
        let attempt = Task {
            try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(15))
        #expect(try await attempt.value.code == .timedOut)
        #expect(await stopped.value() != nil)
    }

    @Test func aTokenThatIsThereLeavesNobodyAsleep() async throws {
        let clock = EndlessClock()
        let transport = ScriptedTransport(.json(#"{"id_token":"\#(Fixture.idToken())"}"#))
        let project = project {
            await clock.asleep.value()
            return Secret(Self.token)
        }
        let repository = repository(project, transport, clock: AuthClock(clock) { Fixture.now })
        _ = try await repository.refresh(Fixture.session)
        #expect(await clock.woken.value() != nil)
    }

    /// A clock on which nothing ends but by its cancellation.
    private struct EndlessClock: Clock {
        let asleep = Promise<Void>()
        let woken = Promise<Void>()
        var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
            asleep.resolve(())
            _ = await Promise<Void>().value()
            woken.resolve(())
            throw CancellationError()
        }
    }

    @Test(arguments: ["two words", "line\r\nX-Evil: 1", "한글", "\u{7F}"])
    func whatNoHeaderFieldCarriesIsNotSent(text: String) async throws {
        let token = try await refreshError { Secret(text) }
        #expect(token.code == .misconfigured)
        #expect(token.explanation.contains("App Check token"))
        let repository = repository(project(bundleID: text), ScriptedTransport())
        let bundle = try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        #expect(bundle.code == .misconfigured)
        for error in [token, bundle] { #expect(!error.debugDescription.contains(text)) }
    }

    // MARK: A server that refuses the app

    private static let blocked = AuthHTTPResponse.json(
        """
        {"error":{"code":403,"message":"Requests from this iOS client application <empty> are blocked.",
         "errors":[{"message":"Requests from this iOS client application <empty> are blocked.","domain":"global",
         "reason":"forbidden"}],"status":"PERMISSION_DENIED","details":[{"@type":
         "type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_IOS_APP_BLOCKED","domain":"googleapis.com"}]}}
        """, status: 403)
    private static let unattested = AuthHTTPResponse.json(
        """
        {"error":{"code":401,"message":"Firebase App Check token is invalid.","errors":[{"message":
         "Firebase App Check token is invalid.","domain":"global","reason":"unauthorized"}],"status":"UNAUTHENTICATED"}}
        """, status: 401)
    private static let unattestedCall = AuthHTTPResponse.json(
        #"{"error":{"message":"Unauthenticated","status":"UNAUTHENTICATED"}}"#, status: 401)

    @Test func aKeyForOtherBundlesSaysWhatToChange() async throws {
        for (bundleID, word) in [(nil, "no bundle identifier was sent"), ("com.example.app", "Cloud console")] {
            let repository = repository(project(bundleID: bundleID), ScriptedTransport(Self.blocked))
            let error = try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
            #expect(error.code == .misconfigured)
            #expect(error.serverCode == "API_KEY_IOS_APP_BLOCKED")
            #expect(error.explanation.contains(word))
        }
    }

    @Test(arguments: [nil, Secret(token)])
    func appChecksRefusalSaysWhetherATokenWasSent(token: Secret?) async throws {
        let word = token == nil ? "no token was sent" : "refused the token"
        let project = project { token }
        let toolkit = repository(project, ScriptedTransport(Self.unattested))
        let function = repository(project, ScriptedTransport(Self.unattestedCall))
        let errors = [
            try await failure { () throws(AuthError) in try await toolkit.refresh(Fixture.session) },
            try await failure { () throws(AuthError) in try await function.signIn(with: Fixture.kakao) },
        ]
        for error in errors {
            #expect(error.code == .misconfigured)
            #expect(error.serverCode == "UNAUTHENTICATED")
            #expect(error.explanation.contains("App Check"))
            #expect(error.explanation.contains(word))
            #expect(!error.debugDescription.contains(Self.token))
        }
    }

    @Test func aFunctionsOwnUnauthenticatedIsAboutTheCredential() async throws {
        let answer = AuthHTTPResponse.json(
            #"{"error":{"message":"Kakao refused the token.","status":"UNAUTHENTICATED"}}"#, status: 401)
        let repository = repository(project(), ScriptedTransport(answer))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.kakao) }
        #expect(error.code == .invalidCredential)
    }
}
