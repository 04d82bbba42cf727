import Foundation

/// Keys and signatures made once with the `openssl` program, for these tests alone.
///
/// The message signed is always ``message``.
enum SignatureSamples {
    static let message = Data("a message".utf8)

    /// RSA, 2048 bits, as PKCS #8.
    static let rsaPrivateKey = bytes(
        """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC++GESOW4Ji/QP5q1jMi/zwU213CzGvtWWnBb3Elg6WBAUIkcB
        g8d3+56lfO0AX5NkxZ/ViK5kFxJE5c37n0iGdjnrJyqJvI+ekoS3sT5L2ZpZ2A3xfMM/fecX5eXOahNmBeSq2Gtg/+MK1lPjg770
        ggb49ROP7xGxHrTVZF6MjIWFd9k4CpucUklTFWn+6n100TjPwzlkyg+ZJj4bGgD9QgoBt7COK8f6iCZdEKigslt5VPy3ScLDqKhu
        yikBd0qwIDM/fNH1wDoLOQni1NNQ1+YTlNp9bl41+zp0Dtp0IXX44BIKnRwQbrfX2ghJ8QIpD59ayBGpi6jQ4BZo+3FvAgMBAAEC
        ggEAAM3DJtRRYhPnN+aU0JKRAMR4WG1v+M7WekxM4nGpfRFgJp2K+/bQhkZBAYRNlmSl66oomo75NkL3Q41ODng5/MA5ooOR2m44
        koZzrYw+7WB3QFfi8yMUdUtz3LYN1LkTPNOF21w5fiPa55xFp8hRq5jH1mYS/4Drlk8WnBal4+SKUiJZYLoMYL6D3GTzRhpxMdj9
        2tsqz04kDTvcLu9xPoRwMin5obv2ol3URCqIVmPkwchOSuLjh+acT1Egf+6I766oI647Vv1LOmreNp2Kev1nDt/Ze/zgaEXcvLZM
        q26OlaQBpQWurELcOpf4VwM224623oVei4vDJUtT/+UQ/QKBgQDgVxXq8LBfP3KxoMwiq3uhjHp+y6bKCxQg+Yo365ses4+E1+99
        n/CSJsYuNTbUv/z+ctQsYtgCXdaLLfdOvIwD8x1kclL/rqO/VzGpDqjAxm84kb/umStqilszp8aUrC8zIb/tY3ecK6QOVyEqqdbR
        WT+K+PmUdsL7vRZi3AFWHQKBgQDZ67YRKqZls3C9/LWOHvMlRILuv+AcAIEp1CD5OjTvAl+4u302ctxbaxJH+fEucFlYYFDK5HC+
        5DhRmnGSmLmXR/wDPDDDYKofFu++vJQ9W/U9ahimIEC6m8CAJ6pzgdHDMsSdlpnzB7gcAsfG5zTDC0yDOdTspgvwnwbWdPCf+wKB
        gBcc4cUyxvkJMGfciSuJP1OFhZlKogRu38QF8ZeRTon7Ne4Z0TLAJ6jnFcPs95kzrn0Il5N7G4Yi5NeyBKi4BDTj90NCBAsTkwtD
        kHo6aGh0CUFqwrtyTGbNmlfYET1//9zkvUFX3hrY5C4WC/S5SsiGyWUoAY6qLayB7qyAviKBAoGAJHGW8SgAy+FGaX9pnWrvnrvm
        aacNA6HR9/zRxtxFHfN3rp0sQ37R+zfcxsy12N5REsaIvGWXtVTVVlBNzgZcg0A2lRPr08DGsoxTa8J9yAUo7ixgEugx6wNBHi2E
        A+0h91L2LqSQ+mPAFm8gmdLwr+2jzg5N3YWnWYY+zn6f/yECgYEAm03I4qVpukZu93IOZKVzN/hxSls76ha6too/RAf/oe0W1WCn
        mdlPnskSKL2WFQixojbpf2q36PkooLBoS3Bjtpf98j2jHGWTCLJJ2crMOecqpXMVATv5fe/KOBDRCeZtR9Yxir2hp598fAK4wVaw
        +fgH7LU2d1jxRazkVNzFkrU=
        """)

    /// The same key, as PKCS #1.
    static let rsaTraditionalPrivateKey = bytes(
        """
        MIIEowIBAAKCAQEAvvhhEjluCYv0D+atYzIv88FNtdwsxr7VlpwW9xJYOlgQFCJHAYPHd/uepXztAF+TZMWf1YiuZBcSROXN+59I
        hnY56ycqibyPnpKEt7E+S9maWdgN8XzDP33nF+XlzmoTZgXkqthrYP/jCtZT44O+9IIG+PUTj+8RsR601WRejIyFhXfZOAqbnFJJ
        UxVp/up9dNE4z8M5ZMoPmSY+GxoA/UIKAbewjivH+ogmXRCooLJbeVT8t0nCw6iobsopAXdKsCAzP3zR9cA6CzkJ4tTTUNfmE5Ta
        fW5eNfs6dA7adCF1+OASCp0cEG6319oISfECKQ+fWsgRqYuo0OAWaPtxbwIDAQABAoIBAADNwybUUWIT5zfmlNCSkQDEeFhtb/jO
        1npMTOJxqX0RYCadivv20IZGQQGETZZkpeuqKJqO+TZC90ONTg54OfzAOaKDkdpuOJKGc62MPu1gd0BX4vMjFHVLc9y2DdS5EzzT
        hdtcOX4j2uecRafIUauYx9ZmEv+A65ZPFpwWpePkilIiWWC6DGC+g9xk80YacTHY/drbKs9OJA073C7vcT6EcDIp+aG79qJd1EQq
        iFZj5MHITkri44fmnE9RIH/uiO+uqCOuO1b9Szpq3jadinr9Zw7f2Xv84GhF3Ly2TKtujpWkAaUFrqxC3DqX+FcDNtuOtt6FXouL
        wyVLU//lEP0CgYEA4FcV6vCwXz9ysaDMIqt7oYx6fsumygsUIPmKN+ubHrOPhNfvfZ/wkibGLjU21L/8/nLULGLYAl3Wiy33TryM
        A/MdZHJS/66jv1cxqQ6owMZvOJG/7pkraopbM6fGlKwvMyG/7WN3nCukDlchKqnW0Vk/ivj5lHbC+70WYtwBVh0CgYEA2eu2ESqm
        ZbNwvfy1jh7zJUSC7r/gHACBKdQg+To07wJfuLt9NnLcW2sSR/nxLnBZWGBQyuRwvuQ4UZpxkpi5l0f8Azwww2CqHxbvvryUPVv1
        PWoYpiBAupvAgCeqc4HRwzLEnZaZ8we4HALHxuc0wwtMgznU7KYL8J8G1nTwn/sCgYAXHOHFMsb5CTBn3IkriT9ThYWZSqIEbt/E
        BfGXkU6J+zXuGdEywCeo5xXD7PeZM659CJeTexuGIuTXsgSouAQ04/dDQgQLE5MLQ5B6OmhodAlBasK7ckxmzZpX2BE9f//c5L1B
        V94a2OQuFgv0uUrIhsllKAGOqi2sge6sgL4igQKBgCRxlvEoAMvhRml/aZ1q75675mmnDQOh0ff80cbcRR3zd66dLEN+0fs33MbM
        tdjeURLGiLxll7VU1VZQTc4GXINANpUT69PAxrKMU2vCfcgFKO4sYBLoMesDQR4thAPtIfdS9i6kkPpjwBZvIJnS8K/to84OTd2F
        p1mGPs5+n/8hAoGBAJtNyOKlabpGbvdyDmSlczf4cUpbO+oWuraKP0QH/6HtFtVgp5nZT57JEii9lhUIsaI26X9qt+j5KKCwaEtw
        Y7aX/fI9oxxlkwiySdnKzDnnKqVzFQE7+X3vyjgQ0QnmbUfWMYq9oaeffHwCuMFWsPn4B+y1NndY8UWs5FTcxZK1
        """)

    /// Its public half.
    static let rsaPublicKey = bytes(
        """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvvhhEjluCYv0D+atYzIv88FNtdwsxr7VlpwW9xJYOlgQFCJHAYPHd/ue
        pXztAF+TZMWf1YiuZBcSROXN+59IhnY56ycqibyPnpKEt7E+S9maWdgN8XzDP33nF+XlzmoTZgXkqthrYP/jCtZT44O+9IIG+PUT
        j+8RsR601WRejIyFhXfZOAqbnFJJUxVp/up9dNE4z8M5ZMoPmSY+GxoA/UIKAbewjivH+ogmXRCooLJbeVT8t0nCw6iobsopAXdK
        sCAzP3zR9cA6CzkJ4tTTUNfmE5TafW5eNfs6dA7adCF1+OASCp0cEG6319oISfECKQ+fWsgRqYuo0OAWaPtxbwIDAQAB
        """)

    /// P-256, as PKCS #8.
    static let ellipticPrivateKey = bytes(
        """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOY75YyO0BNS5pxDj2vcwEpT423PLPMW0RlpItkTF2EuhRANCAATt
        I1KJBFRQ2wUz/29UU1Pwc1Snq5OIL7s7gbQq/vKedPbQ220IOpl1SQYvIOEHu5f8UrrCNGMKfahXI9pNuttW
        """)

    /// The same key, as RFC 5915 has it.
    static let ellipticTraditionalPrivateKey = bytes(
        """
        MHcCAQEEIDmO+WMjtATUuacQ49r3MBKU+NtzyzzFtEZaSLZExdhLoAoGCCqGSM49AwEHoUQDQgAE7SNSiQRUUNsFM/9vVFNT8HNU
        p6uTiC+7O4G0Kv7ynnT20NttCDqZdUkGLyDhB7uX/FK6wjRjCn2oVyPaTbrbVg==
        """)

    /// Its public half.
    static let ellipticPublicKey = bytes(
        """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7SNSiQRUUNsFM/9vVFNT8HNUp6uTiC+7O4G0Kv7ynnT20NttCDqZdUkGLyDhB7uX
        /FK6wjRjCn2oVyPaTbrbVg==
        """)

    /// RSA, 1024 bits, as PKCS #8.
    static let weakPrivateKey = bytes(
        """
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBANiFsQijPgF76BDbFtby1ewNGM7WKOl4HEbXhVNhsGmiyEaaiCNp
        ltLUL4XizozMncgxKxFlzlGWn63yWXxFGCIrlR0YcLt57rO4C3hJhtR38lEYfRQ1PBxowONXG7jXzZja3kVqNQAZ1fGaGeO4+how
        1k62gYF4eeEUfzNwoqOnAgMBAAECgYEApiA1S2ZMTcEutbgTVwpsPbdywEeqji78qxHzFp2OSA6AUUOBjoIWGV55s+ToCzl3GcE3
        xRpyaUEC9OhL5j/xGeU359Kddd2OQEgJ9u6R0pQ35VnPB8kx031uT2lIuqHmmhZ1q773cLDCvSgxCljLjeEWa0x9w0ZpqAfQ/W/1
        hKECQQDvcp7vyJ7brfLBZyAoo0ZmbGXQLQ4o0a0CxfHNtnCLLGc7c1npL7jbMdolMG7tukssZiKHvvbtELaZb03LW3/3AkEA531e
        x3mHtMATLfOK+K4SQXgvbKQu1oHXRw6ytqu6xCyv70d5XIqVH55DPHMfytj5NwMxntjctIhbfG0qj2Vt0QJBAIHlu4U3X76rGhOD
        f3WsRcfQrFcH6jOItAPaIHhJrbpCh2pABJm1EuKOo9oi8Tq0Io3ehoL/vPMUawrHz/svEzcCQC5d/0kHP7ZlrrHKkXCENWXls+IX
        9MXEliFGgWdzeGJo7QiJkXaGz53YrnECQkD4OtrZCexeVb7XfTOsDhVQ5LECQQCWihvkx4Y9dmeEhc/Rm59JptOTMF3kiTX+9r9G
        cGrZ1V+XM31kC+DeyOB2hCQAc4S+Lf2I44O8BjAOGdi+f9uI
        """)

    /// Its public half.
    static let weakPublicKey = bytes(
        """
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDYhbEIoz4Be+gQ2xbW8tXsDRjO1ijpeBxG14VTYbBposhGmogjaZbS1C+F4s6M
        zJ3IMSsRZc5Rlp+t8ll8RRgiK5UdGHC7ee6zuAt4SYbUd/JRGH0UNTwcaMDjVxu4182Y2t5FajUAGdXxmhnjuPoaMNZOtoGBeHnh
        FH8zcKKjpwIDAQAB
        """)

    /// P-384, as PKCS #8.
    static let p384PrivateKey = bytes(
        """
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAemtC2T2rPcqhSy8GlPHtxr4m6n8l5M+fuThOQLCb1hRgbf+3WeHg1
        9La9b7Blb8KhZANiAAT4a771HGrC53ePmh0mn+0ngsZW4PTi+75HVCgMNPqDjiqmwEN9aKFck48eSBHnwPg2k3vFLnA9PYvGLY/9
        actdSH+bnKDhHDwx0aZJNMLIyYp0bZwBLK8HL8tr4Q3MB7E=
        """)

    /// A curve of the same size as P-256: secp256k1.
    static let otherCurvePrivateKey = bytes(
        """
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgCqZ0yfLX0DIXxer5IHFin1j8GKQiiXa2sLQ6mg1xEy+hRANCAASRCksu
        ptba7gMlKdg4/xzUnz81Em+W2D4WYWp9IGh9C73EEve+1OwfQFFvCF6SYbo83GVF54b7wgl4IXl4zWpo
        """)

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    static let rs256 = bytes(
        """
        MspfuQ7p+0DUDDhbhhTXtZGfvsFQhLnCw6OCDz9WBb8h+6i55HePsj/Jl2GrAtCjzy+dMvLFY1I/6Ucf+WYpqVgL2c/I523SI6Fl
        T6n8OrZmF23ippn1DJMw+ZXZ0Hkbjaz/7a7lSpIdBFI+GmnqmLOTgSAWZei26uGh9nejfAMt5rIkoaMVG+e/wWgiN7C9y0n/I/dU
        MfAGDpry+BH6UU8Ib8iu5G8bg+QvHOPlhm/MHKxz/sFsMYIoG1jizdrWDluemO5y4dtiskt3jC96VuFuHym/dyz9D8Wyifuo0uYv
        cUELCFQbISTWMBY8WYBPQHhlEV/PosjOBPQRlobEBA==
        """)

    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes.
    static let ps256 = bytes(
        """
        Ts0XnEgHVHBnCDiSZL8md8gFmUy1Z0nXKeGK1msyoPMkOuRIztjCeHeWkER7bPeGQD7Lv2Y8irx6hJcOnk3kSEyfbzaTK/cYXZyE
        SPrMDWmfw7a8QLfjwT4cCoFyAxVxNizObrw4OunL1OCfjNEQG+Nek231nFVKGeRr2s8yHOCnh3Q1YE0w1j6NaqomxVJAjSyCMbkk
        ++GbqddFkMTH4x1UyWpwWgdpI8KHVSZgH5pDZ31kiQT1ZNOibxa5a5GbHLU3jQoY3PrEg5rBVoUuYaM4jP0TFLbmWGWK3P9FHTe5
        aj2E9Lehu+vzWgpa5thtTcQeFo2fK3sLGc+05abq+A==
        """)

    /// The same with a salt of 20 bytes.
    static let pssWithShortSalt = bytes(
        """
        bCUhPtJfQW9HgjTs/S/jd3FgE2wlk6/x5k2+ORys34yEtxOX2cwdin2vbLZ0fPjmk4Qq4VsrXqizAmmnJkDl01jPXmbO1PmLe74N
        afYoQg/MeYywTVQtZiYCVlz5lM6zmSr8LX82RpbPk8IYxMP3AqxgmptxOcP9/ikMi9SuG9bcbRI2TMK1ho/4f88QK12JziApo/gz
        AU7Mq0pzvqajHbwkbIch9iMZnT/NsNq7dSR3fKIEDdsQaiyqcAUKgb/WFHLq2JCGIAdJepNWN7hXtkpUZ7xdBHK8GJi/i43UDRUB
        EsJMkGhyhEAtegvPzsgjbD3u7l5gkut8I3MpOIayYw==
        """)

    /// The same with a salt of 222 bytes.
    static let pssWithLongestSalt = bytes(
        """
        l1zPiX+DvQG/P2y+pwe10zM8743Pw5fMmpcv2NiwOpIbudzXhP+jliGSxwBXX76AoEselA7XolFnu7vPlyWclwm4uhVvW9V8e+TT
        2U5VERixJ7NG1hiCq+Iy3vyM49k54VZ7+ZMLPCHT/4rw6U5jJsjoOdoDeh6ArGD7VlFlE55+c8ycK8s6C+qUiZHW/6pTN2/SDGlJ
        85gcPNhtVq5NNhlbjhAGOtssddDmhUY65FXeIFRvMO1p3wR95rTFMEakXCjPYR5yVF8J5YyJF4scRsoRMWnB+Ot+N0phRAwU0YJi
        r6LdJbleafdmpfiyyT2x2bzt0uLdrFcDvz3Kxlasew==
        """)

    /// The same with a salt of 32 bytes and MGF1 with SHA-1.
    static let pssWithOtherMask = bytes(
        """
        MpiSuF4o/+ltToJlEb8vMjXM2HKKM+MpIjp1FBf7ElRvYSANMd0exD0g8d2CPeFSPpQqc0IpSMlhzhHNhCR5nvPlQYhQ8P2PRe5i
        4GIO4dACSxrKlZgW/YM0ojrTHUL9llCSGBwHr2Efj8lZifeL8hbT2xevldh40Vc9F+x6nOWE/MeEd/eXBY/SfPn5txZKUY2PI21M
        HtqXPom5gDf2ajiAiR6p4ppNtNJTujstXIrK/z9E0HPMBJaSLz/mbBFBJPu9IDuqmz6i3t2jYt3K22CZBN61Jke53amu6OnilPct
        pBweQS7sDcMGqJyCJc6qktEJP7CqJdoUomqN6tymtQ==
        """)

    /// ECDSA with SHA-256, as X.509 has it.
    static let ellipticDER = bytes(
        """
        MEYCIQCvKU1x4C+7lCGEBbMuPQ3SwjtX6t9HUHbHTsoDVste6AIhAJafc+MpUsfOc4QroBRkJcoCndOCjNpLJ9FWZPw2j/5v
        """)

    private static func bytes(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
