import AuthStreams

extension AuthPromptTexts {
    /// The standard texts in Korean.
    public static let korean = Self(
        titles: [
            .code: "인증번호 입력", .factors: "2단계 인증", .form: "추가 정보 입력", .link: "이메일의 링크를 열어 주세요",
            .address: "이메일 주소 확인", .enrollment: "인증 앱 추가", .userCode: "다른 기기에서 코드 입력", .page: "추가 단계",
        ],
        explanations: [
            .code: "{destination}(으)로 인증번호를 보냈습니다.", .factors: "확인 방법을 선택해 주세요.",
            .link: "{destination}(으)로 링크를 보냈습니다.", .address: "링크를 받은 이메일 주소를 입력해 주세요.",
            .enrollment: "인증 앱으로 QR 코드를 스캔하거나 키를 직접 입력한 후, 앱에 표시된 인증번호를 입력해 주세요.",
            .userCode: "다른 기기에서 {destination} 페이지를 열고, 아래 코드를 입력하거나 표시된 코드와 같은지 확인해 주세요.",
            .page: "브라우저에서 {destination} 페이지로 계속합니다.",
        ],
        password: "비밀번호 입력", authenticatorCode: "인증 앱에 표시된 인증번호를 입력해 주세요.",
        unknown: "이 버전의 앱에서는 이 단계를 진행할 수 없습니다.",
        fieldLabels: [
            "code": "인증번호", "email": "이메일", "password": "비밀번호", "currentPassword": "현재 비밀번호",
            "phone": "휴대폰 번호", "name": "이름", "nickname": "닉네임", "terms": "이용약관에 동의합니다", "privacy": "개인정보 처리방침에 동의합니다",
            "marketing": "마케팅 정보 수신에 동의합니다",
        ],
        optional: "{label} (선택)", readTerms: "내용 보기: {label}",
        factors: ["totp": "인증 앱", "sms": "문자 메시지", "phone": "문자 메시지", "email": "이메일", "recovery": "복구 코드"],
        submit: "계속", sending: "보내는 중", openPage: "브라우저에서 계속", cancel: "취소",
        resend: [.code: "인증번호 다시 받기", .link: "링크 다시 받기"], resendLater: "{time} 후", resendWait: "{seconds}초 후",
        qrCode: "QR 코드", shown: [.enrollment: "키", .userCode: "코드"], copy: "복사", copied: "복사했습니다",
        open: [.enrollment: "이 기기의 인증 앱 열기", .userCode: "이 기기에서 페이지 열기"], validUntil: "{time}까지 유효",
        attemptsLeft: "{count}번 더 시도할 수 있습니다.", lastAttempt: "한 번만 더 시도할 수 있습니다.",
        pageClosed: "단계를 완료하기 전에 페이지가 닫혔습니다.", errors: .korean)
}
