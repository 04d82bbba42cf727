import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct CallbackRouterTests {
    private let router = CallbackRouter()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func accepting(_ host: String) -> @Sendable (URL) -> Bool { { $0.host() == host } }

    @Test func urlThatNobodyWaitsForIsNotOurs() async throws {
        #expect(!router.handle(try url("app://kakao")))
        let kakao = router.expect(accepting("kakao"))
        #expect(!router.handle(try url("app://naver")))
        #expect(router.handle(try url("app://kakao?code=1")))
        #expect(await kakao.callback() == (try url("app://kakao?code=1")))
    }

    @Test func urlThatCameBeforeAnyoneAskedIsKept() async throws {
        let kakao = router.expect(accepting("kakao"))
        #expect(router.handle(try url("app://kakao")))
        #expect(await kakao.callback() == (try url("app://kakao")))
        #expect(await kakao.callback() == (try url("app://kakao")))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func urlWakesWhoWaits() async throws {
        let kakao = router.expect(accepting("kakao"))
        let executor = ManualExecutor()
        let attempt = Task(executorPreference: executor) { await kakao.callback() }
        executor.run()
        #expect(router.handle(try url("app://kakao")))
        executor.run()
        #expect(await attempt.value == (try url("app://kakao")))
    }

    @Test func secondCallbackIsNotOurs() async throws {
        let kakao = router.expect(accepting("kakao"))
        #expect(router.handle(try url("app://kakao?n=1")))
        #expect(!router.handle(try url("app://kakao?n=2")))
        #expect(await kakao.callback() == (try url("app://kakao?n=1")))
    }

    @Test func attemptTakesAsManyAsItWasBegunFor() async throws {
        let kakao = router.expect(upTo: 2, accepting("kakao"))
        #expect(router.handle(try url("app://kakao?n=1")))
        #expect(router.handle(try url("app://kakao?n=2")))
        #expect(!router.handle(try url("app://kakao?n=3")))
        #expect(await kakao.callback() == (try url("app://kakao?n=1")))
        #expect(await kakao.callback(1) == (try url("app://kakao?n=2")))
        #expect(await kakao.callback(2) == nil)
    }

    @Test func newestOfTheAttemptsThatAcceptGetsIt() async throws {
        let older = router.expect(accepting("kakao"))
        let newer = router.expect(accepting("kakao"))
        let other = router.expect(accepting("naver"))
        #expect(router.handle(try url("app://kakao?n=1")))
        #expect(router.handle(try url("app://kakao?n=2")))
        #expect(await newer.callback() == (try url("app://kakao?n=1")))
        #expect(await older.callback() == (try url("app://kakao?n=2")))
        #expect(router.handle(try url("app://naver")))
        #expect(await other.callback() == (try url("app://naver")))
    }

    @Test func lettingGoOfTheExpectationEndsIt() throws {
        var expectation: CallbackExpectation? = router.expect { _ in true }
        #expect(expectation != nil)
        expectation = nil
        #expect(!router.handle(try url("app://kakao")))
    }

    @Test func cancelledAttemptGetsNil() async {
        let kakao = router.expect(accepting("kakao"))
        let attempt = Task { await kakao.callback() }
        attempt.cancel()
        #expect(await attempt.value == nil)
    }

    @Test func oneOfManyThreadsGivesTheURL() async throws {
        let kakao = router.expect(accepting("kakao"))
        let callback = try url("app://kakao")
        let taken = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { [router] in router.handle(callback) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
        #expect(await kakao.callback() == callback)
    }

    /// The check may own any object, including another expectation of the same router.
    @Test func checkThatOwnsAnExpectationDoesNotLockUp() throws {
        var first: CallbackExpectation? = router.expect { $0.host() == "first" }
        var second: CallbackExpectation? = router.expect { [first] _ in first == nil }
        first = nil
        #expect(second != nil)
        second = nil
        #expect(!router.handle(try url("app://first")))
    }

    @Test func checkMayCallTheRouter() throws {
        let inner = try url("app://inner")
        let kakao = router.expect { [router] url in url.host() == "kakao" && !router.handle(inner) }
        #expect(router.handle(try url("app://kakao")))
        withExtendedLifetime(kakao) {}
    }

    @Test func nothingIsKeptAlive() throws {
        final class Owner: Sendable {}
        weak var leftOwner: Owner?
        weak var takenOwner: Owner?
        weak var leftRouter: CallbackRouter?
        do {
            let (router, left, taken) = (CallbackRouter(), Owner(), Owner())
            (leftOwner, takenOwner, leftRouter) = (left, taken, router)
            let held = router.expect { [taken] _ in withExtendedLifetime(taken) { true } }
            _ = router.expect { [left] _ in withExtendedLifetime(left) { true } }
            #expect(router.handle(try url("app://x")))
            withExtendedLifetime(held) {}
        }
        #expect(leftOwner == nil)
        #expect(takenOwner == nil)
        #expect(leftRouter == nil)
    }
}
