extension AuthErrorTexts {
    /// The standard texts in Korean.
    ///
    /// No particle directly follows a provider's name, because its form would depend on the name's last sound.
    public static let korean = AuthErrorTexts(
        [
            .accessDenied: "권한이 허용되지 않았습니다.",
            .abandoned: "응답을 받지 못했습니다.",
            .timedOut: "시간이 초과되었습니다.",
            .unsupportedProvider: "이 앱에서 지원하지 않습니다.",
            .notSignedIn: "로그인되어 있지 않습니다.",
            .userNotFound: "가입된 계정을 찾을 수 없습니다.",
            .invalidCredential: "서버에서 로그인 정보를 승인하지 않았습니다.",
            .invalidCustomToken: "서버에서 처리하지 못했습니다.",
            .accountExists: "같은 이메일로 가입된 계정이 있습니다.",
            .credentialInUse: "이미 다른 사용자가 사용 중인 계정입니다.",
            .secondFactorRequired: "이 계정에 필요한 2단계 인증을 여기서는 사용할 수 없습니다.",
            .requiresRecentSignIn: "마지막으로 로그인한 지 오래되었습니다.",
            .lastProvider: "하나뿐인 로그인 방법입니다.",
            .userDisabled: "이용이 정지된 계정입니다.",
            .sessionExpired: "로그인이 만료되었습니다.",
            .refused: "서버가 요청을 거절했습니다.",
            .rateLimited: "시도 횟수가 너무 많습니다.",
            .network: "서버에 연결할 수 없습니다.",
            .server: "서버에 문제가 있습니다.",
            .invalidResponse: "서버의 응답을 읽을 수 없습니다.",
            .stateMismatch: "안전을 위해 중단했습니다. 다른 시도에 대한 응답을 받았습니다.",
            .nonceMismatch: "안전을 위해 중단했습니다. 이번 시도에 대한 인증 정보가 아닙니다.",
            .issuerMismatch: "안전을 위해 중단했습니다. 알 수 없는 곳에서 응답이 왔습니다.",
            .invalidIDToken: "안전을 위해 중단했습니다. 인증 정보를 확인할 수 없습니다.",
            .misconfigured: "앱 설정이 올바르지 않습니다.",
            .appUnavailable: .init(
                "필요한 앱을 열 수 없습니다.", named: "{provider} 앱을 열 수 없습니다.",
                byProvider: [
                    .kakao: "카카오톡을 열 수 없습니다.", .password: "필요한 앱을 열 수 없습니다.",
                    .anonymous: "필요한 앱을 열 수 없습니다.",
                ]),
            .presentationUnavailable: "화면을 표시할 수 없습니다.",
            .storage: "이 기기에서 로그인 정보를 읽거나 저장하지 못했습니다.",
            .storageLocked: "기기가 잠겨 있습니다.",
            .unexpected: "예기치 않은 문제가 발생했습니다.",
        ],
        operations: [
            .signIn: .init("로그인에 실패했습니다.", named: "{provider} 로그인에 실패했습니다."),
            .adoption: "이전 로그인을 복원하지 못했습니다.",
            .request: "요청을 완료하지 못했습니다.",
            .reload: "계정 정보를 불러오지 못했습니다.",
            .profile: "프로필을 저장하지 못했습니다.",
            .link: .init("로그인 방법을 추가하지 못했습니다.", named: "{provider} 로그인을 추가하지 못했습니다."),
            .unlink: .init("로그인 방법을 해제하지 못했습니다.", named: "{provider} 로그인을 해제하지 못했습니다."),
            .reauthentication: .init("본인 확인을 완료하지 못했습니다.", named: "{provider} 로그인으로 본인 확인을 완료하지 못했습니다."),
            .deletion: "계정 삭제를 완료하지 못했습니다.",
            .signOut: "로그아웃을 완료하지 못했습니다.",
            .signOutEverywhere: "다른 기기에서 로그아웃하지 못했습니다.",
        ],
        otherwise: "완료하지 못했습니다.",
        suggestions: [
            .tryAgain: "다시 시도해 주세요.", .tryLater: "잠시 후 다시 시도해 주세요.",
            .checkConnection: "인터넷 연결을 확인한 후 다시 시도해 주세요.", .unlockDevice: "기기의 잠금을 해제한 후 다시 시도해 주세요.",
            .signIn: "로그인해 주세요.", .reauthenticate: "이 계정으로 다시 로그인해 주세요.",
            .earlierWay: "기존 방법으로 로그인해 주세요.", .anotherWay: "다른 방법으로 로그인해 주세요.",
            .anotherAccount: "다른 계정을 선택해 주세요.", .ownAccount: "현재 로그인한 계정을 선택해 주세요.",
            .addAnotherWay: "다른 로그인 방법을 먼저 추가해 주세요.",
            .installApp: "앱을 설치하거나 다른 방법을 선택해 주세요.", .contactSupport: "앱 고객센터에 문의해 주세요.",
        ],
        providerNames: [
            .apple: "애플", .google: "구글", .kakao: "카카오", .naver: "네이버", .password: "이메일", .anonymous: "비회원",
        ])
}
