public import Foundation

/// developer.apple.com/documentation/localauthentication/lapolicy
@available(macOS 10.10, iOS 8.0, watchOS 3.0, *)
@available(tvOS, unavailable)
public enum LAPolicy: Int, Sendable {
    /// developer.apple.com/documentation/localauthentication/lapolicy/deviceownerauthenticationwithbiometrics
    @available(macOS 10.12.2, iOS 8.0, *)
    @available(watchOS, unavailable)
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// developer.apple.com/documentation/localauthentication/lapolicy/deviceownerauthentication
    @available(macOS 10.11, iOS 9.0, watchOS 3.0, *)
    case deviceOwnerAuthentication = 2
}

/// developer.apple.com/documentation/localauthentication/lacontext
@available(macOS 10.10, iOS 8.0, watchOS 3.0, *)
@available(tvOS, unavailable)
open class LAContext: NSObject {
    private let state = Locked((isInvalid: false, questions: [AppleDevice.LocalAuthentication.Question]()))

    public override init() {}

    /// developer.apple.com/documentation/localauthentication/lacontext/localizedfallbacktitle
    @available(watchOS, unavailable)
    open var localizedFallbackTitle: String?

    /// developer.apple.com/documentation/localauthentication/lacontext/evaluatepolicy(_:localizedreason:reply:)
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "Apple's raises an exception for an empty reason.")
        let question = AppleDevice.LocalAuthentication.Question(
            policy, reason: localizedReason, fallbackTitle: localizedFallbackTitle, reply: reply)
        let isInvalid = state.withLock { state in
            if !state.isInvalid { state.questions.append(question) }
            return state.isInvalid
        }
        if isInvalid { question.fail(.invalidContext) } else { AppleDevice.LocalAuthentication.ask(question) }
    }

    /// developer.apple.com/documentation/localauthentication/lacontext/invalidate()
    @available(macOS 10.11, iOS 9.0, watchOS 3.0, *)
    open func invalidate() {
        let questions = state.withLock { state in
            state.isInvalid = true
            defer { state.questions = [] }
            return state.questions
        }
        for question in questions { question.fail(.appCancel) }
    }
}
