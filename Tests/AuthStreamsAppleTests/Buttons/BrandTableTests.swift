import AuthStreams
import Testing

@testable import AuthStreamsApple

/// The table of the article has the rule, the source and the value of each constant.
@Suite struct BrandTableTests {
    let rows: [BrandTable.Row]

    init() throws { rows = try BrandTable().rows }

    @Test func everyConstantHasOneRowWithItsValue() {
        for (constant, value) in BrandConstants.all.sorted(by: { $0.key < $1.key }) {
            let values = rows.compactMap { $0.value(of: constant) }
            #expect(values == [value], "The table has \(values) for \(constant), which is \(value).")
        }
    }

    @Test func everyRowIsAboutConstantsThatExist() {
        for row in rows {
            for pattern in row.patterns {
                #expect(
                    BrandConstants.all.keys.contains { BrandTable.Row.matches(pattern, $0) },
                    "There is no constant \(pattern).")
            }
        }
    }

    @Test func everyRowHasARuleASourceAndAValueForEachConstant() {
        #expect(rows.count > 40)
        for row in rows {
            #expect(!row.rule.isEmpty, "\(row)")
            #expect(row.source.contains("](https://") || row.source == "this package", "\(row)")
            #expect(!row.patterns.isEmpty && [1, row.patterns.count].contains(row.values.count), "\(row)")
        }
    }

    /// What rests on this package alone is no rule of a vendor, or says that it is not confirmed.
    @Test func everyValueWithoutAPageSaysSo() {
        for row in rows where row.source == "this package" {
            let isOpen = row.rule.contains("None") || row.rule.contains("Not confirmed")
            #expect(isOpen, "\(row)")
        }
    }

    @Test func titleHasTheContrastOfWCAGWhereTheBrandDoesNotDemandLess() {
        for (name, style) in BrandConstants.styles {
            for (appearance, colors) in [("light", style.light), ("dark", style.dark)] {
                let row = rows.first { $0.value(of: "\(name).\(appearance).contrast") != nil }
                let isLow = contrast(colors.title, on: colors.background) < 4.5
                #expect(isLow == row?.rule.contains("Contrast below 4.5"), "\(name), \(appearance)")
            }
        }
    }

    /// WCAG 2.2: black on white is 21, and equal colors 1. Grey on white that just passes is a known value.
    @Test func contrastIsThatOfWCAG() {
        #expect(abs(contrast(.black, on: .white) - 21) < 0.001)
        #expect(contrast(.white, on: .white) == 1)
        #expect(abs(contrast(.init(0x767676), on: .white) - 4.54) < 0.01)
        #expect(contrast(.init(0x000000, opacity: 0), on: .init(0xFEE500)) == 1)
    }

    /// The guides name no button that is smaller than Apple's.
    @Test func noButtonIsLargerThanApples() {
        for (name, style) in BrandConstants.styles {
            for scale in [0.8, 1, 1.5, 3.2] {
                #expect(
                    style.minimumHeight(textScale: scale) == SignInButtonStyle.apple.minimumHeight(textScale: scale),
                    "\(name)")
            }
            #expect(style.maximumWidth == SignInButtonStyle.apple.maximumWidth, "\(name)")
        }
    }

    /// Five lines of a title, each 1.3 times as high as its font, with the space above and below.
    @Test(arguments: [0.8, 1, 1.5, 3.2]) func pickerKeepsTheClearSpaceOfEachButton(textScale: Double) {
        let styles = BrandConstants.styles.map(\.style)
        let spacing = SignInButtonStyle.spacing(of: styles, textScale: textScale)
        for style in styles {
            let height = max(style.minimumHeight(textScale: textScale), 16 + 5 * 1.3 * style.titleSize * textScale)
            #expect(spacing >= style.clearSpace * height)
        }
    }

    @Test func pickerKeepsALargerClearSpaceOfTheApp() {
        var style = SignInButtonStyle.neutral
        style.clearSpace = 1
        #expect(SignInButtonStyle.spacing(of: [.apple, style], textScale: 1) == 88)
        #expect(SignInButtonStyle.spacing(of: [], textScale: 1) == 12)
    }

    @Test func heightDoesNotShrinkWithTheTextSize() {
        #expect(SignInButtonStyle.kakao.minimumHeight(textScale: 0.8) == 44)
        #expect(SignInButtonStyle.kakao.minimumHeight(textScale: 2) == 88)
        #expect(SignInButtonStyle.kakao.clearSpace(textScale: 2) == 8.8)
    }

    @Test func providerHasTheStyleOfItsBrand() {
        #expect(SignInButtonStyle.standard(for: .apple) == .apple)
        #expect(SignInButtonStyle.standard(for: .google) == .google)
        #expect(SignInButtonStyle.standard(for: .kakao) == .kakao)
        #expect(SignInButtonStyle.standard(for: .naver) == .naver)
        #expect(SignInButtonStyle.standard(for: .passkey) == .neutral)
        #expect(SignInButtonStyle.standard(for: "acme") == .neutral)
    }
}
