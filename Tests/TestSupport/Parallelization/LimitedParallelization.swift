import AuthStreams
import AuthStreamsTesting
package import Testing

extension Trait where Self == LimitedParallelization {
    /// Limits the parallelization of tests that use sockets or child processes.
    ///
    /// At most two test cases for each core of all suites that have this trait run at once. What such a test
    /// expects of a server or of another process then depends less on how many other tests run.
    package static var limitedParallelization: Self { Self() }
}

package struct LimitedParallelization: SuiteTrait, TestTrait, TestScoping {
    private static let admitted = Lock<[String]>([])

    /// The identifiers of the tests that run at present while others that have started wait for them: those with this trait, and
    /// the one that has the simulated device.
    package static var admittedTests: Set<String> { admitted.withLock { Set($0) } }

    /// Runs a test, which is among ``admittedTests`` until it ends.
    static func admit(_ test: Test, _ function: @concurrent @Sendable () async throws -> Void) async throws {
        let name = String(describing: test.id)
        admitted.withLock { $0.append(name) }
        defer { admitted.withLock { names in _ = names.firstIndex(of: name).map { names.remove(at: $0) } } }
        try await function()
    }

    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase.map { _ in self } }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ResourceLimit.shared.run { try await Self.admit(test, function) }
    }
}
