#if AUTH_APPLE_STUBS
    import AppleFoundation
    package import Testing

    extension Trait where Self == AppleDeviceTrait {
        /// Gives a test the simulated device for itself, freshly reset.
        ///
        /// Tests with this trait run one at a time, beside the others.
        package static var appleDevice: Self { Self() }
    }

    package struct AppleDeviceTrait: SuiteTrait, TestTrait, TestScoping {
        package var isRecursive: Bool { true }

        package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase.map { _ in self } }

        package func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await AppleDevice.use { try await LimitedParallelization.admit(test, function) }
        }
    }
#endif
