extension AuthErrorTexts {
    /// The standard texts in Korean.
    ///
    /// No particle directly follows a provider's name, because its form would depend on the name's last sound.
    public static let korean = AuthErrorTexts(
        [
            .accessDenied: .init("로그인이 허용되지 않았습니다.", named: "{provider} 로그인이 허용되지 않았습니다."),
            .abandoned: .init(
                "로그인이 완료되지 않았습니다. 다시 시도해 주세요.", named: "{provider} 로그인이 완료되지 않았습니다. 다시 시도해 주세요."),
            .timedOut: .init(
                "로그인 시간이 초과되었습니다. 다시 시도해 주세요.", named: "{provider} 로그인 시간이 초과되었습니다. 다시 시도해 주세요."),
            .unsupportedProvider: .init("사용할 수 없는 로그인 방법입니다.", named: "{provider} 로그인은 사용할 수 없습니다."),
            .notSignedIn: .init("로그인이 필요합니다.", named: "{provider} 로그인이 필요합니다."),
            .userNotFound: .init("가입된 계정을 찾을 수 없습니다.", named: "{provider} 로그인으로 가입된 계정을 찾을 수 없습니다."),
            .invalidCredential: .init(
                "로그인 정보가 유효하지 않습니다. 처음부터 다시 시도해 주세요.",
                named: "{provider} 로그인 정보가 유효하지 않습니다. 처음부터 다시 시도해 주세요."),
            .invalidCustomToken: .init(
                "서버에서 로그인을 완료하지 못했습니다. 잠시 후 다시 시도해 주세요.",
                named: "서버에서 {provider} 로그인을 완료하지 못했습니다. 잠시 후 다시 시도해 주세요."),
            .accountExists: .init(
                "같은 이메일로 가입된 계정이 있습니다. 기존 방법으로 로그인해 주세요.",
                named: "{provider} 이메일로 이미 가입된 계정이 있습니다. 기존 방법으로 로그인해 주세요.",
                byProvider: [.password: "이 이메일로 이미 가입된 계정이 있습니다. 기존 방법으로 로그인해 주세요."]),
            .credentialInUse: .init("이미 다른 사용자가 사용 중인 계정입니다.", named: "이미 다른 사용자가 사용 중인 {provider} 계정입니다."),
            .secondFactorRequired: .init(
                "이 계정은 2단계 인증이 필요하여 여기서는 로그인할 수 없습니다.",
                named: "이 {provider} 계정은 2단계 인증이 필요하여 여기서는 로그인할 수 없습니다."),
            .requiresRecentSignIn: .init(
                "계속하려면 다시 로그인하여 본인임을 확인해 주세요.", named: "계속하려면 {provider} 계정으로 다시 로그인하여 본인임을 확인해 주세요."),
            .lastProvider: .init(
                "하나뿐인 로그인 방법은 해제할 수 없습니다. 다른 방법을 먼저 연결해 주세요.",
                named: "하나뿐인 {provider} 로그인은 해제할 수 없습니다. 다른 방법을 먼저 연결해 주세요."),
            .userDisabled: .init("이용이 정지된 계정입니다.", named: "{provider} 로그인으로 가입된 계정의 이용이 정지되었습니다."),
            .sessionExpired: .init("로그인이 만료되었습니다. 다시 로그인해 주세요.", named: "{provider} 로그인이 만료되었습니다. 다시 로그인해 주세요."),
            .rateLimited: .init(
                "시도 횟수가 너무 많습니다. 잠시 후 다시 시도해 주세요.", named: "{provider} 로그인 시도 횟수가 너무 많습니다. 잠시 후 다시 시도해 주세요."),
            .network: .init("로그인에 실패했습니다. 인터넷 연결을 확인해 주세요.", named: "{provider} 로그인에 실패했습니다. 인터넷 연결을 확인해 주세요."),
            .server: .init(
                "서버에 문제가 있어 로그인에 실패했습니다. 잠시 후 다시 시도해 주세요.",
                named: "서버에 문제가 있어 {provider} 로그인에 실패했습니다. 잠시 후 다시 시도해 주세요."),
            .invalidResponse: .init(
                "서버의 응답을 읽을 수 없어 로그인에 실패했습니다. 잠시 후 다시 시도해 주세요.",
                named: "서버의 응답을 읽을 수 없어 {provider} 로그인에 실패했습니다. 잠시 후 다시 시도해 주세요."),
            .stateMismatch: .init(
                "안전을 위해 로그인을 중단했습니다. 다른 로그인 시도에 대한 응답을 받았습니다. 처음부터 다시 시도해 주세요.",
                named: "안전을 위해 {provider} 로그인을 중단했습니다. 다른 로그인 시도에 대한 응답을 받았습니다. 처음부터 다시 시도해 주세요."),
            .nonceMismatch: .init(
                "안전을 위해 로그인을 중단했습니다. 이번 로그인에 대한 인증 정보가 아닙니다. 처음부터 다시 시도해 주세요.",
                named: "안전을 위해 {provider} 로그인을 중단했습니다. 이번 로그인에 대한 인증 정보가 아닙니다. 처음부터 다시 시도해 주세요."),
            .issuerMismatch: .init(
                "안전을 위해 로그인을 중단했습니다. 알 수 없는 곳에서 응답이 왔습니다. 처음부터 다시 시도해 주세요.",
                named: "안전을 위해 {provider} 로그인을 중단했습니다. 알 수 없는 곳에서 응답이 왔습니다. 처음부터 다시 시도해 주세요."),
            .invalidIDToken: .init(
                "안전을 위해 로그인을 중단했습니다. 본인 확인에 실패했습니다. 처음부터 다시 시도해 주세요.",
                named: "안전을 위해 {provider} 로그인을 중단했습니다. 본인 확인에 실패했습니다. 처음부터 다시 시도해 주세요."),
            .misconfigured: .init("이 앱의 로그인 설정이 올바르지 않습니다.", named: "이 앱의 {provider} 로그인 설정이 올바르지 않습니다."),
            .appUnavailable: .init(
                "로그인에 필요한 앱을 열 수 없습니다. 앱을 설치하거나 다른 방법으로 로그인해 주세요.",
                named: "{provider} 앱을 열 수 없습니다. 앱을 설치하거나 다른 방법으로 로그인해 주세요.",
                byProvider: [.kakao: "카카오톡을 열 수 없습니다. 카카오톡을 설치하거나 다른 방법으로 로그인해 주세요."]),
            .presentationUnavailable: .init(
                "로그인 화면을 표시할 수 없습니다. 다시 시도해 주세요.", named: "{provider} 로그인 화면을 표시할 수 없습니다. 다시 시도해 주세요."),
            .storage: .init(
                "이 기기에서 로그인 정보를 읽거나 저장하지 못했습니다.", named: "이 기기에서 {provider} 로그인 정보를 읽거나 저장하지 못했습니다."),
            .storageLocked: .init("계속하려면 기기의 잠금을 해제해 주세요.", named: "{provider} 로그인을 계속하려면 기기의 잠금을 해제해 주세요."),
            .unexpected: .init("로그인에 실패했습니다.", named: "{provider} 로그인에 실패했습니다."),
        ],
        otherwise: .init("로그인하지 못했습니다.", named: "{provider} 로그인을 하지 못했습니다."),
        suggestions: [
            .tryAgain: "다시 시도해 주세요.", .tryLater: "잠시 후 다시 시도해 주세요.", .signIn: "먼저 로그인해 주세요.",
            .anotherWay: "다른 방법으로 로그인해 주세요.", .contactSupport: "앱 고객센터에 문의해 주세요.",
        ],
        providerNames: [
            .apple: "애플", .google: "구글", .kakao: "카카오", .naver: "네이버", .password: "이메일", .anonymous: "비회원",
        ])
}
