public import AuthStreams
public import Foundation

/// The route of a provider's credentials to Firebase.
public struct FirebaseRoute: Sendable {
    enum Kind: Sendable {
        case idp(ProviderID?)
        case function(CallableFunction, CallableFunctions.Location, SocialLoginFunction.Format)
        case coordinator(SocialAuthCoordinator)
    }
    let kind: Kind

    /// By `accounts:signInWithIdp`, for the providers that Firebase knows: Apple, Google.
    public static let idp = Self(kind: .idp(nil))

    /// By `accounts:signInWithIdp`, with the provider's name at Firebase, such as `oidc.line`.
    public static func idp(as provider: ProviderID) -> Self { Self(kind: .idp(provider)) }

    /// Through a callable function that creates a custom token, for providers that Firebase does not know: Kakao,
    /// Naver.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - region: The function's region.
    ///   - format: The fields that it reads and answers; unless given, those of ``SocialLoginFunction``.
    public static func customToken(
        function: CallableFunction = "socialLogin", region: FunctionsRegion,
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        .customToken(function: function, at: .region(region), format: format)
    }

    /// Through a callable function below a domain of your own.
    public static func customToken(
        function: CallableFunction, at location: CallableFunctions.Location,
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        Self(kind: .function(function, location, format))
    }

    /// Through a callable function by its whole URL, as second-generation functions have one.
    public static func customToken(url: URL, format: SocialLoginFunction.Format = .standard) -> Self {
        // The region is not used for a URL.
        .customToken(function: .url(url), region: .usCentral1, format: format)
    }

    /// Through a custom coordinator.
    public static func customToken(through coordinator: SocialAuthCoordinator) -> Self {
        Self(kind: .coordinator(coordinator))
    }
}

extension [ProviderID: FirebaseRoute] {
    /// Apple and Google by `signInWithIdp`, Kakao and Naver through a callable function.
    ///
    /// - Parameters:
    ///   - region: The function's region.
    ///   - function: Its name.
    ///   - format: The fields that it reads and answers.
    public static func standard(
        functionsIn region: FunctionsRegion = .usCentral1, function: CallableFunction = "socialLogin",
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        let social = FirebaseRoute.customToken(function: function, region: region, format: format)
        return [.apple: .idp, .google: .idp, .kakao: social, .naver: social]
    }
}
