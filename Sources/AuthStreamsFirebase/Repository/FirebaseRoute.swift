public import AuthStreams
public import Foundation

/// The way that a provider's credentials take to Firebase.
public struct FirebaseRoute: Sendable {
    enum Way: Sendable {
        case idp(ProviderID?)
        case function(CallableFunction, CallableFunctions.Location, SocialLoginFunction.Format)
        case coordinator(SocialAuthCoordinator)
    }
    let way: Way

    /// By `accounts:signInWithIdp`, for the providers that Firebase knows: Apple, Google.
    public static let idp = Self(way: .idp(nil))

    /// By `accounts:signInWithIdp`, under the name that the provider has at Firebase, such as `oidc.line`.
    public static func idp(as provider: ProviderID) -> Self { Self(way: .idp(provider)) }

    /// Through a callable function that makes a custom token, for those it does not know: Kakao, Naver.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - region: Where it is.
    ///   - format: What it reads and answers; unless given, what ``SocialLoginFunction`` describes.
    public static func customToken(
        function: CallableFunction = "socialLogin", region: FunctionsRegion,
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        .customToken(function: function, at: .region(region), format: format)
    }

    /// The same with functions below a domain of your own.
    public static func customToken(
        function: CallableFunction, at location: CallableFunctions.Location,
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        Self(way: .function(function, location, format))
    }

    /// The same with the function's whole URL, as second-generation functions have one.
    public static func customToken(url: URL, format: SocialLoginFunction.Format = .standard) -> Self {
        // The region plays no part for a URL of its own.
        .customToken(function: .url(url), region: .usCentral1, format: format)
    }

    /// Through a coordinator of your own making.
    public static func customToken(through coordinator: SocialAuthCoordinator) -> Self {
        Self(way: .coordinator(coordinator))
    }
}

extension [ProviderID: FirebaseRoute] {
    /// Apple and Google by `signInWithIdp`, Kakao and Naver through a callable function.
    ///
    /// - Parameters:
    ///   - region: Where the function is.
    ///   - function: Its name.
    ///   - format: What it reads and answers.
    public static func standard(
        functionsIn region: FunctionsRegion = .usCentral1, function: CallableFunction = "socialLogin",
        format: SocialLoginFunction.Format = .standard
    ) -> Self {
        let social = FirebaseRoute.customToken(function: function, region: region, format: format)
        return [.apple: .idp, .google: .idp, .kakao: social, .naver: social]
    }
}
