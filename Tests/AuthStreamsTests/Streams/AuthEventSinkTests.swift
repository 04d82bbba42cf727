import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite(.limitedParallelization) struct AuthEventSinkTests {
    /// A sink that remembers, and lets a test wait for an event.
    private final class Heard: Sendable {
        private let kinds = Lock<[AuthEvent.Kind]>([])
        private let arrivals = AsyncStream<AuthEvent.Kind>.makeStream()
        var all: [AuthEvent.Kind] { kinds.withLock { $0 } }

        var sink: AuthEventSink {
            AuthEventSink { event in
                self.kinds.withLock { $0.append(event.kind) }
                self.arrivals.continuation.yield(event.kind)
            }
        }

        func wait(for kind: AuthEvent.Kind) async { _ = await arrivals.stream.first { $0 == kind } }
    }

    private func service(_ sinks: [AuthEventSink]) -> AuthService {
        AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore(),
            callbacks: CallbackRouter(),
            sinks: sinks)
    }

    @Test func everySinkHearsEverythingInOrderFromTheRestoringOn() async throws {
        let heard = [Heard(), Heard()]
        let auth = service(heard.map(\.sink))
        _ = await auth.states.prefix(through: \.isSignedOut)
        _ = try await auth.signIn(with: .kakao).value
        try await auth.signOut()
        for heard in heard {
            await heard.wait(for: .signedOut)
            #expect(
                heard.all == [
                    .restored, .signInStarted, .signInStep, .signInStep, .signInSucceeded, .signedOut,
                ])
        }
    }

    @Test func aSinkDoesNotKeepTheServiceAliveAndEndsWithIt() async throws {
        let ended = Promise<Void>()
        weak var released: AuthService?
        do {
            let farewell = Farewell { ended.resolve(()) }
            let auth = service([AuthEventSink { _ in withExtendedLifetime(farewell) {} }])
            released = auth
            _ = await auth.states.prefix(through: \.isSignedOut)
        }
        #expect(released == nil)
        await ended.value()
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSinkThatDoesNotGetOnHoldsUpNeitherTheManagerNorAnotherSink() async throws {
        let manager = SessionManager(store: MemorySessionStore())
        let executor = ManualExecutor()
        let (slow, quick) = (Heard(), Heard())
        start(on: executor) { slow.sink.follow(manager.events) }
        quick.sink.follow(manager.events)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        _ = try await signIn(with: ScriptedProvider(.kakao)).value
        await quick.wait(for: .signInSucceeded)
        #expect(slow.all.isEmpty)
        executor.run()
        #expect(slow.all == quick.all)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSinkThatFellBehindIsToldHowManyEventsItMissed() {
        let broadcast = Broadcast<AuthEvent>(limit: 1)
        let executor = ManualExecutor()
        let events = Lock<[AuthEvent]>([])
        start(on: executor) {
            AuthEventSink { event in events.withLock { $0.append(event) } }.follow(AuthEvents(broadcast))
        }
        for attempt in 1...4 { broadcast.send(started(UInt64(attempt))) }
        executor.run()
        #expect(
            events.withLock { $0 } == [AuthEvent(.eventsMissed, details: .missed(3)), started(4)])
    }

    private func started(_ number: UInt64) -> AuthEvent {
        AuthEvent(.signInStarted, details: .attempt(AuthEvent.Attempt(number, .signIn)))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func start(on executor: ManualExecutor, _ work: () -> Void) {
        TaskSpawner.withStarter({ body in Task(executorPreference: executor) { await body() } }, work)
    }

    #if !AUTH_DARWIN
        @Test func aLogLineIsWhole() async throws {
            try await withTemporaryFile(named: "log", Data()) { url in
                let file = try FileHandle(forWritingTo: url)
                let sink = AuthEventSink.lines(to: file)
                sink.deliver(AuthEvent(.restored))
                sink.deliver(AuthEvent(.refreshFailed, failure: .init(.network)))
                sink.deliver(AuthEvent(.signInFailed, failure: .init(.cancelled)))
                sink.deliver(
                    AuthEvent(
                        .signInFailed, provider: .kakao,
                        failure: .init(
                            .misconfigured, serverCode: "KOE101",
                            explanation: "Say \"no\\\nAuthStreams info\" \u{2028}.")))
                #expect(
                    try String(contentsOf: url, encoding: .utf8) == """
                        AuthStreams info restored
                        AuthStreams warning refreshFailed error=network
                        AuthStreams info signInFailed error=cancelled
                        AuthStreams error signInFailed provider=kakao error=misconfigured serverCode=KOE101 \
                        explanation="Say \\"no\\\\ AuthStreams info\\"  ."

                        """)
                try file.close()
                // Lines that cannot be written are dropped.
                sink.deliver(AuthEvent(.restored))
            }
        }

        @Test func aLineSaysWhoseItIs() async throws {
            try await withTemporaryFile(named: "log", Data()) { url in
                AuthEventSink.lines(to: try FileHandle(forWritingTo: url), of: "com.example.app").deliver(
                    AuthEvent(.restored))
                #expect(try String(contentsOf: url, encoding: .utf8) == "com.example.app info restored\n")
            }
        }

        /// In a process of its own, which a signal would end.
        @Test func aLogThatNobodyReadsEndsNothing() async {
            await #expect(processExitsWith: .success) {
                signal(SIGPIPE, SIG_DFL)
                let sink = try AuthEventSink.lines(to: AuthEventSinkTests.pipeWithoutReader())
                for _ in 0..<3 { sink.deliver(AuthEvent(.restored)) }
                // Nor is the signal left for later.
                #expect(!AuthEventSinkTests.signals(sigpending).contains(SIGPIPE))
                #expect(!AuthEventSinkTests.signals { pthread_sigmask(SIG_BLOCK, nil, $0) }.contains(SIGPIPE))
            }
        }

        @Test func aSignalThatWaitedBeforeStillWaits() async {
            await #expect(processExitsWith: .success) {
                var pipe = sigset_t()
                sigemptyset(&pipe)
                sigaddset(&pipe, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &pipe, nil)
                raise(SIGPIPE)
                try AuthEventSink.lines(to: AuthEventSinkTests.pipeWithoutReader()).deliver(AuthEvent(.restored))
                #expect(AuthEventSinkTests.signals(sigpending).contains(SIGPIPE))
            }
        }

        private static func pipeWithoutReader() throws -> FileHandle {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            return pipe.fileHandleForWriting
        }

        private static func signals(_ read: (UnsafeMutablePointer<sigset_t>) -> Int32) -> Set<Int32> {
            var set = sigset_t()
            guard read(&set) == 0 else { return [] }
            return [SIGPIPE].filter { sigismember(&set, $0) == 1 }.reduce(into: []) { $0.insert($1) }
        }
    #endif
}
