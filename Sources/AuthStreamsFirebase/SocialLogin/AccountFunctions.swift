public import AuthStreams

/// The callable functions for revocations, which only a server can do. Each is optional; <doc:SocialLogin> describes
/// them.
///
/// ```swift
/// FirebaseRepository(project: project, functions: .standard(in: .seoul), transport: transport)
/// ```
public struct AccountFunctions: Sendable {
    /// The location of the functions.
    public var location: CallableFunctions.Location
    /// The function that revokes a sign-in's access at the provider; `nil` if there is none.
    public var revocation: CallableFunction?
    /// The providers that it revokes at. Apple and Google need no function.
    public var providers: Set<ProviderID>
    /// The fields that it reads; usually the sign-in's format.
    public var format: SocialLoginFunction.Format
    /// The function that ends all sessions of its caller; `nil` if there is none.
    public var sessionRevocation: CallableFunction?

    /// Makes the set of functions.
    ///
    /// - Parameters:
    ///   - location: The location of the functions.
    ///   - revocation: Revokes a sign-in's access at the provider.
    ///   - providers: The providers that it revokes at.
    ///   - format: The fields that it reads.
    ///   - sessionRevocation: Ends all sessions of its caller.
    public init(
        at location: CallableFunctions.Location, revocation: CallableFunction? = nil,
        of providers: Set<ProviderID> = [.kakao, .naver], format: SocialLoginFunction.Format = .standard,
        sessionRevocation: CallableFunction? = nil
    ) {
        self.location = location
        self.revocation = revocation
        self.providers = providers
        self.format = format
        self.sessionRevocation = sessionRevocation
    }

    /// Both functions by their names in <doc:SocialLogin>: `revokeSocialLogin`, for Kakao and Naver, and `revokeSessions`.
    public static func standard(
        in region: FunctionsRegion = .usCentral1, format: SocialLoginFunction.Format = .standard
    ) -> Self {
        Self(at: .region(region), revocation: "revokeSocialLogin", format: format, sessionRevocation: "revokeSessions")
    }
}
