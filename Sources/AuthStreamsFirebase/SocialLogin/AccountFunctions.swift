public import AuthStreams

/// The callable functions that do for an account what only a server can: revoke. Each is optional; <doc:SocialLogin> tells
/// what they do.
///
/// ```swift
/// FirebaseRepository(project: project, functions: .standard(in: .seoul), transport: transport)
/// ```
public struct AccountFunctions: Sendable {
    /// Where the functions are.
    public var location: CallableFunctions.Location
    /// The function that ends at a provider what a sign-in began there; `nil` where there is none.
    public var revocation: CallableFunction?
    /// The providers that it revokes at. Apple and Google need no function.
    public var providers: Set<ProviderID>
    /// What it reads; the sign-in's format, mostly.
    public var format: SocialLoginFunction.Format
    /// The function that ends all sessions of its caller; `nil` where there is none.
    public var sessionRevocation: CallableFunction?

    /// Names the functions.
    ///
    /// - Parameters:
    ///   - location: Where they are.
    ///   - revocation: Ends at a provider what a sign-in began there.
    ///   - providers: The providers that it revokes at.
    ///   - format: What it reads.
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
