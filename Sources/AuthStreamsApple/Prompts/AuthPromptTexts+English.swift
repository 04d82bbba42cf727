import AuthStreams

extension AuthPromptTexts {
    /// The standard texts in English.
    public static let english = Self(
        titles: [
            .code: "Enter the code", .factors: "Confirm that it is you", .form: "A few more details",
            .link: "Open the link in your email", .address: "Confirm your email address",
            .enrollment: "Add an authenticator app", .userCode: "Enter this code on another device",
            .page: "One more step",
        ],
        explanations: [
            .code: "It was sent to {destination}.", .factors: "Choose how you want to do it.",
            .link: "It was sent to {destination}.", .address: "Enter the address to which the link was sent.",
            .enrollment:
                "Scan the QR code with the app, or type in the key. Then enter the code that the app shows.",
            .userCode: "Open {destination} there, and enter the code or compare it with this one.",
            .page: "Continue at {destination} in your browser.",
        ],
        password: "Enter your password", authenticatorCode: "Your authenticator app shows it.",
        unknown: "This version of the app does not offer the step.",
        fieldLabels: [
            "code": "Code", "email": "Email", "password": "Password", "currentPassword": "Current password",
            "phone": "Phone number", "name": "Name", "nickname": "Nickname", "terms": "I agree to the terms of use",
            "privacy": "I agree to the privacy policy",
            "marketing": "I want to receive news",
        ],
        optional: "{label} (optional)", readTerms: "Read: {label}",
        factors: [
            "totp": "Authenticator app", "sms": "Text message", "phone": "Text message", "email": "Email",
            "recovery": "Recovery code",
        ],
        submit: "Continue", sending: "Sending", openPage: "Continue in the browser", cancel: "Cancel",
        resend: [.code: "Send another code", .link: "Send another link"], resendLater: "in {time}",
        resendWait: "in {seconds} seconds", qrCode: "QR code",
        shown: [.enrollment: "Key", .userCode: "Code"], copy: "Copy", copied: "Copied",
        open: [.enrollment: "Open an authenticator app on this device", .userCode: "Open the page on this device"],
        validUntil: "Valid until {time}", attemptsLeft: "{count} attempts are left.",
        lastAttempt: "One attempt is left.", pageClosed: "The page was closed before the step was complete.",
        errors: .english)
}
