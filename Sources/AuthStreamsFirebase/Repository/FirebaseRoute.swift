public import AuthStreams

/// The way that a provider's credentials take to Firebase.
public struct FirebaseRoute: Sendable {
    enum Way: Sendable {
        case idp(ProviderID?)
        case function(CallableFunction, CallableFunctions.Location)
        case coordinator(SocialAuthCoordinator)
    }
    let way: Way

    /// By `accounts:signInWithIdp`, for the providers that Firebase knows: Apple, Google.
    public static let idp = Self(way: .idp(nil))

    /// By `accounts:signInWithIdp`, under the name that the provider has at Firebase, such as `oidc.line`.
    public static func idp(as provider: ProviderID) -> Self { Self(way: .idp(provider)) }

    /// Through a callable function that makes a custom token, for those it does not know: Kakao, Naver.
    ///
    /// The function is given what ``SocialLoginFunction`` describes.
    public static func customToken(function: CallableFunction = "socialLogin", region: FunctionsRegion) -> Self {
        .customToken(function: function, at: .region(region))
    }

    /// The same with functions below a domain of your own.
    public static func customToken(function: CallableFunction, at location: CallableFunctions.Location) -> Self {
        Self(way: .function(function, location))
    }

    /// Through a coordinator of your own making.
    public static func customToken(through coordinator: SocialAuthCoordinator) -> Self {
        Self(way: .coordinator(coordinator))
    }
}

extension [ProviderID: FirebaseRoute] {
    /// Apple and Google by `signInWithIdp`, Kakao and Naver through the function `socialLogin`.
    ///
    /// - Parameter region: Where the function is.
    public static func standard(functionsIn region: FunctionsRegion = .usCentral1) -> Self {
        [
            .apple: .idp, .google: .idp, .kakao: .customToken(region: region), .naver: .customToken(region: region),
        ]
    }
}
