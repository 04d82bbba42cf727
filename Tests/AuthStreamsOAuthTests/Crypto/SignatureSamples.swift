import Foundation

/// Keys and signatures made once with OpenSSL, for these tests alone.
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

    /// Its public half.
    static let p384PublicKey = bytes(
        """
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE+Gu+9Rxqwud3j5odJp/tJ4LGVuD04vu+R1QoDDT6g44qpsBDfWihXJOPHkgR58D4NpN7xS5w
        PT2Lxi2P/WnLXUh/m5yg4Rw8MdGmSTTCyMmKdG2cASyvBy/La+ENzAex
        """)

    /// P-521, as PKCS #8.
    static let p521PrivateKey = bytes(
        """
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIA5w6SxAW+xp+LYbDxl7hqcWHm4wwUh2dJ32tCGDlSo0GXCApvpvicLCVR
        ScX35fccvSn2oJeymhZjnC202FQaiU2hgYkDgYYABAG/4wdp7G6rMYp4iNzAIKRS4pHzgxR1sreFY7T1ckft1WpkVDcAwN3n4vMPn0j/
        FjltOj+BjwstYYAmQyBhoSw8yABa+H+8V7tECP/jJ780eZHw7fbLEk3KarjnhxHiFyDdh95ry9jnE1jOo5bU5koDU5cuhbToDDMzUARp
        YadgdqWh/Q==
        """)

    /// Its public half.
    static let p521PublicKey = bytes(
        """
        MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBv+MHaexuqzGKeIjcwCCkUuKR84MUdbK3hWO09XJH7dVqZFQ3AMDd5+LzD59I/xY5bTo/
        gY8LLWGAJkMgYaEsPMgAWvh/vFe7RAj/4ye/NHmR8O32yxJNymq454cR4hcg3Yfea8vY5xNYzqOW1OZKA1OXLoW06AwzM1AEaWGnYHal
        of0=
        """)

    /// Ed25519, as PKCS #8.
    static let ed25519PrivateKey = bytes(
        """
        MC4CAQAwBQYDK2VwBCIEIO7oADP8DsD8bgJr7R3eH702xHSZXVRSyaHydFGZ2XiB
        """)

    /// Its public half.
    static let ed25519PublicKey = bytes(
        """
        MCowBQYDK2VwAyEAo3xUbnDP2STwNOGZLy7yuW8cDX6uwm4sWIFyyYbBi2s=
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

    /// RSASSA-PKCS1-v1_5 with SHA-384.
    static let rs384 = bytes(
        """
        rhu5ohJdNvf+7SpHZEObVg0VWaVF60yzhJErXtXt5abQRDNWwCfQW6pj+pWe1988Dt6muKjvQxoxyvCcC9N1/hqgpPvwmzDUp9hxVsRY
        Dyh/t40vYJaj/2EYgAUFur4bC9OQ4lYqfyWXmfpfRvpkTW+O3xH7iL6wOfQzI2P+Ci5Y+WsrKMIUMQ8lOkNcph4OUZgC5BGZRs9d0Rce
        +onvyzspgXAz0dkU8OwQaAN5AN4eNozywENN4B+/U1HO6QkVNcDsdXRp6+Ztd7K9O3Fl4tIb9WS6lB4JxeDxpc0MjYoJHIuOgSuyvqP7
        R2XUXRv8mghWT9d4XhZ1b4KZxvPpKw==
        """)

    /// RSASSA-PKCS1-v1_5 with SHA-512.
    static let rs512 = bytes(
        """
        nkaFWbwkDEJBQj4w4vxL7iSZEChmHYPk4qsOh/koBcBfR82FHb8UVTuwTc+Evl3lE4PhKUI/nKpKXTGXt1XxEdW8Sz1aKC0DgoKYg9uQ
        +oC8wTLh95tDOPnu2dTGCVB409kpDHoELjZjFddvy1gbRC/HAfy4+j6IJdqAQht2+frkQ0IlQBYdLt/obMi4UvAyzjXHYfaGYhUIGlaI
        64tyP/70nchWrjS6b3SrSzMqFHdGw9n5gfG95VSske3DRSWCKx3AnJJE2zOnR+GuKUMiqQvxxnUvIhCvAX4t15btM2ueEx4KkjBP3zbR
        Neg0Vk2Gw7iEftnpkFjEAta1ifIAoA==
        """)

    /// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes.
    static let ps384 = bytes(
        """
        oTAXjLXVDC3sLgdAdKP4Ar34F9bAnpdOS1zjsfXsmC0SJgoFgeAmFzbFYNhkfUNEQ1IlJbrmzQIgw9m7Fin+z72t8opJCI/H8+FC7i8K
        lKpFtXCU1mWyAXsNIReH5mkbzwL4AJ+4HxpHopGd8f2/bXySHMBrsEGnKzJC/2V/XhNooeQBo07MZNgtOKiV+62HiDjXACTPFmqu36LQ
        iuzMAL4fqloPGw1r3YWPxwZFCWY/7ZvakfNGYoDteMK+7tFnLJSq92O8/DKbUMNibuwDHI1jQQ9OoWcsCAbKbG9fgj+4w0oMjr3e1pfG
        wVnQ5qgqx3LdCvq9XpsFnLM75y3jaA==
        """)

    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of 64 bytes.
    static let ps512 = bytes(
        """
        q6rLyRQEm6dl6zpXgMpzsOPztnYrjPDGiGkIyMwFk3ejoHwT88c1lkq5NseeHIpCVPtPq1ijUZ81zAAn/fXvE4UG8J1LxwVO3rDVPtVJ
        C3wdONK4QGoqxles/1/03OFy2kvmqoJOJ/gq/4NfiHeNEqkyMwMhLNm+LiZ96hUPjULb7EhIW4LdLUWc9fK8iydbUZWabal9gqYxDLNm
        OxVmoAq400mdfyJWpKLIlPKNcKUPk28oEXl+D9K+gKpire0wfWLA9OG06W9Bpb/vwymKNQNZZj0uMFOEn6gpno6nYg+ntKUTBeJapUy8
        qd4rPJ6HQoRsvkqlcmhc8XB7l2Xy3Q==
        """)

    /// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 32 bytes.
    static let ps384WithShortSalt = bytes(
        """
        CClQ/YnOrVZ7zDrTJW+ket2H2vUZlS20Rs23Rk9/3PUoqo8F2vJKkbPIlyI9XYsEkbI+GzW/19wGHT1mscLyNXLtu2+Wt7qlDcStSoGN
        rFk6S3WEFS9g0CzPMPvJyMBGN4htZidFKW/T/FQyK0wrSzqEsoKPPeP6qp4A6Xj3oqzPPY9EB2Nyz7Uoya77DEXA4kVILiIuGB8f49bE
        G0eOwKklcllj9hPQmsBIy7M3Y1JJUBl5hqanqC33e9fpO8SJGb7wJICkITES6UpJcj9lLJ0WemmUmCALrj7jGzPvVJm071RRssT9NPt6
        VXmXTuGGSBvKpm62e3HLkjfXtDkjlg==
        """)

    /// RSASSA-PSS with SHA-384, MGF1 with SHA-256 and a salt of 48 bytes.
    static let ps384WithOtherMask = bytes(
        """
        XHFmBcPQqm9tYaOBVk1LHyBXGWXDtCTBSZmw6K35oLR8PPaYou+ykgBSRuJ8YR4RTMLMJf4U+OgjXCWzAS+yEHRebp61sBRF0FCqEuyx
        47H8cpnEoTnqUKLdxy2AF9cE8BiMShUYSONE/3isfJ34El0hIqskdYBvBOmcWbzHwqMcuqjMyrsadTK5ANLQwS7QbLZ79ZM8pxr9T19E
        w88MZ88sh+7v4rYdI9dkcufMpOtf9F3Gc/c4vcK4J6Txo933I3D51xzXwweFl0uaapd5lprCoeCZqZeTWXGxDc2XNIHLpdwsp4JYdIti
        7l+yu4LW17gFIiNno4cueBP19y19Pw==
        """)

    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of 32 bytes.
    static let ps512WithShortSalt = bytes(
        """
        Y9J+JhKSB0qBvSlGnynRLpswsWQjmXivVkOxZfq6k6iJQIL7QraVV+fGirtH0PI8MaaYKvqHBMi6hA2285mekOrs+7gsg8Npw1KSd8mA
        qH1JEAdOBtbgg1hfERE/rKSnm8z90TcS7eUTyzs2m+A3jA4DAeWZXbccIkey9QrtCDAVRm5+7U5qx3pekXc0lOFD+q2CdHpKgTdeSQPh
        i4ryyh/uzqCLHh4PGaNTJissccJ79flhj+FkD8qV3oq6Mse50mZDm02rZFshQXeajbL4eGnuRyCnQ9oJ3sQKwF1q7rSMq28aUWKkw6by
        pAPqa8zQ7oemOmvj1sjjbnMFVKWeyQ==
        """)

    /// RSASSA-PSS with SHA-512, MGF1 with SHA-256 and a salt of 64 bytes.
    static let ps512WithOtherMask = bytes(
        """
        WXMVrAtXeZmIrcVcIuDt7FVudCIugfy8mXlskx5nD3r/tUtBVG95aYWVinqDrrerVTqcUtmi5kqt+54Llm5J0BI88LIuCr/OvLTwcU6P
        v0X2kObci8WJHFKRXcpDyXfMho2y+saeUYFzCdyDeaohry+F6oW9ByM/2doYjZ+DEusjahNucT6Uj51t14s48sO3w+tVk30h8WI/n60f
        IEmQum+AnKzpsC0umd2lZlYMpoklX2xUIwm/Kc+DqvuE1yhpR4SW0LKLwCgxnP08qh5SC2WjvusH1hC7MAEHovHJ5NIwSCKTbl+YsAqz
        44Sk9COj5TlbwrX5Yloj0XAlV/wJDw==
        """)

    /// ECDSA on P-384 with SHA-384, as X.509 has it.
    static let es384DER = bytes(
        """
        MGUCMQDElWnX0hR9iiT8+KFPVy8z+OlxsEQwqWNM2uBF6cUl3qxGEiOSSPa3uHhDlv8aEGUCMAZmndyiCmkx6HJNqq4Gl6fNW4OGJPg7
        vwjz+LaeUm/LDoHqiC0ZFdBDtkzzplcRcw==
        """)

    /// ECDSA on P-521 with SHA-512, as X.509 has it.
    static let es512DER = bytes(
        """
        MIGHAkFme/FhLf7vP/pb02kQGOftnMcfBtnB9CBE39QsWM9XzGVSB4x7HJ3D0WGEXd9MuX+cAOf5JmiEc/Ec9V5YyJRO6QJCAbDs770l
        8UgZstB9TDUuLbwC+69K4FYC+dIlLevNRSQ7Q7zEQg8ZH9RfFKOvu7qmoome8MUVCzOXKS9yL+nRCHD5
        """)

    /// ECDSA on P-384 with SHA-512, as X.509 has it: of no algorithm of a JWS.
    static let p384WithOtherHashDER = bytes(
        """
        MGYCMQCodEIhqLMHreOitUa/+JAAG1BjAKgssA5nAZ+AUb6hy9bMZ7ZYth18otFudffeRYQCMQC1/HhHTTaZopAAQq1DgeWEvHZgRG0t
        8Skb+QOoJ1TSAfF51BRFu7WJzWV5YLaDxDA=
        """)

    /// Ed25519.
    static let edDSA = bytes(
        """
        7OsW/3e6iSFQGfLAbnwga9YIwO8tj3W0QleODJ7HLBt3mkyLYgHyRXFvTBgTcLMxsuL/5jRD+Sz5SV2Ckg9DDQ==
        """)

    private static func bytes(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
