import AuthStreamsTesting
package import Testing

extension Trait where Self == LimitedParallelization {
    /// Limits the parallelization of tests that use sockets or child processes.
    ///
    /// At most as many test cases of all suites that have this trait run at once as there are cores. What such a test
    /// expects of a server or of another process then depends less on how many other tests run.
    package static var limitedParallelization: Self { Self() }
}

package struct LimitedParallelization: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase.map { _ in self } }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ResourceLimit.shared.run(function)
    }
}
