#if AUTH_SWIFTUI
    import AuthStreams
    import Foundation
    import SwiftUI

    #if AUTH_UIKIT
        import UIKit
    #elseif AUTH_APPKIT
        import AppKit
    #endif

    /// A field of a prompt, with the keyboard and the content type by which the system fills it in.
    struct AuthPromptFieldView: View {
        let model: AuthPromptModel
        let field: AuthPromptContent.Field

        private var text: Binding<String> {
            Binding {
                model.text(in: field)
            } set: {
                model.enter($0, in: field)
            }
        }

        private var isOn: Binding<Bool> {
            Binding {
                model.text(in: field) == "true"
            } set: {
                model.enter($0 ? "true" : "false", in: field)
            }
        }

        var body: some View {
            switch field.input {
            case .consent:
                VStack(alignment: .leading) {
                    Toggle(isOn: isOn) { Text(verbatim: field.label) }
                    if let terms = field.terms {
                        Link(destination: terms) { Text(verbatim: field.termsLabel ?? field.label) }
                    }
                }
            case .password, .newPassword: SecureField(field.label, text: text).input(field.input)
            case .text: TextField(field.label, text: text)
            case .code, .codeWithLetters, .email, .phone:
                TextField(field.label, text: text).autocorrectionDisabled().input(field.input)
            }
        }
    }

    extension View {
        /// The keyboard of a field, and what the system fills in.
        fileprivate func input(_ input: AuthPromptContent.Field.Input) -> some View {
            #if AUTH_UIKIT
                textContentType(input.contentType).keyboardType(input.keyboard).textInputAutocapitalization(.never)
            #elseif AUTH_APPKIT
                textContentType(input.contentType)
            #else
                textInputAutocapitalization(.never)
            #endif
        }
    }

    #if AUTH_UIKIT || AUTH_APPKIT
        extension AuthPromptContent.Field.Input {
            #if AUTH_UIKIT
                private typealias ContentType = UITextContentType

                fileprivate var keyboard: UIKeyboardType {
                    switch self {
                    case .code: .numberPad
                    case .codeWithLetters: .asciiCapable
                    case .email: .emailAddress
                    case .phone: .phonePad
                    case .text, .password, .newPassword, .consent: .default
                    }
                }

                fileprivate var contentType: UITextContentType? { type }
            #else
                private typealias ContentType = NSTextContentType

                fileprivate var contentType: NSTextContentType? { type }
            #endif

            private var type: ContentType? {
                switch self {
                case .code, .codeWithLetters: .oneTimeCode
                // The account's name, beside which the system offers its password.
                case .email: .username
                case .phone: .telephoneNumber
                case .password: .password
                case .newPassword: .newPassword
                case .text, .consent: nil
                }
            }
        }
    #endif
#endif
