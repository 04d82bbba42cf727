package import Foundation

/// A registration and a sign-in with the same passkey, of the test vectors of WebAuthn Level 3 (section 16).
///
/// Their domain is `example.org`, their origin `https://example.org`, and the outermost page's origin `https://example.com`.
package struct PasskeyVector: Sendable, CustomStringConvertible {
    /// The end of the section's anchor.
    package let description: String
    /// The challenge of the registration.
    package let creationChallenge: Data
    /// The client data of the registration.
    package let creationClientData: Data
    /// The attestation object.
    package let attestationObject: Data
    /// The challenge of the sign-in.
    package let requestChallenge: Data
    /// The client data of the sign-in.
    package let requestClientData: Data
    /// The authenticator data of the sign-in.
    package let authenticatorData: Data
    /// The signature of the sign-in.
    package let signature: Data

    /// - Parameter bytes: The seven members above in Base64, a blank between two of them.
    private init(_ description: String, _ bytes: String) {
        self.description = description
        let parts = bytes.split(separator: " ").map {
            Data(base64Encoded: String($0), options: .ignoreUnknownCharacters) ?? Data()
        }
        creationChallenge = parts[0]
        creationClientData = parts[1]
        attestationObject = parts[2]
        requestChallenge = parts[3]
        requestClientData = parts[4]
        authenticatorData = parts[5]
        signature = parts[6]
    }
}

extension PasskeyVector {
    /// Every vector except those of extensions.
    package static let all = [
        noneES256, packedSelfES256, noneES256CrossOrigin, noneES256TopOrigin, noneES256LongCredentialID, packedES256,
        packedES384, packedES512, packedRS256, packedEdDSA, packedEd448, tpmES256, androidKeyES256, appleES256,
        fidoU2FES256,
    ]

    package static let noneES256 = PasskeyVector(
        "none-es256",
        """
        AMMPt4UxxGTStncdq417YDwBFi8vpIa+pw8oOuVW4TA= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQU1NUHQ0VXh4R\
        1RTdG5jZHE0MTdZRHdCRmk4dnBJYS1wdzhvT3VWVzRUQSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogQmtRZURqZGNUQnJYQmlBd0pUTEU1USJ9 o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikv6vDdDKViwYzYN\
        OtZGHJxHNa5/jt1GWSpeDwFFKy5LVZAAAAAIRGzLmrHbN0dQsjZ/9vOh8AIPkfOR20ybL94OpwGJy6P7Y/V5umEiszrZT/PsMwCEvkpQECAyYg\
        ASFYIK/voW+XypstI+uGzLZAmNINuQhWBi6yScM6m2cvJt9hIlggkwpWuHovymYzSwNFir+HlxfBLMaO1zKQry4mZHlrkiA= OcDnUhQXulTUP\
        o3JUXT0I97pvzzYBP9tZchXyav01Ag= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiT2NEblVoUVh1bFRVUG8zSlVYVDBJOT\
        dwdnp6WUJQOXRaY2hYeWF2MDFBZyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwY\
        zYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUZAAAAAA== MEYCIQD1Ck4uRAkknEqFO6NhKC8JhB303UVHoTqHeAIY3v/NOAIhAISArA8Lk1OBdPV1\
        vxGh3V14xuSGAT+TcpXqE2U+Mx6H
        """)

    package static let packedSelfES256 = PasskeyVector(
        "packed-self-es256",
        """
        eGnCt3LUtY66k3jPjynibPk1qnffDaifqZwL3Ap29+U= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiZUduQ3QzTFV0W\
        TY2azNqUGp5bmliUGsxcW5mZkRhaWZxWndMM0FwMjktVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogVTloVFh2S0UyVVJrTW5iXzB4WUhWZyJ9 o2NmbXRmcGFja2VkZ2F0dFN0bXSiY2FsZyZjc2lnWEYwRAIgBnogdU\
        q5JQBdvzeAl8khIAMVgccyKNH7T1uIG819qYMCIH/HsUdVjHwOujrxi9nRIfo9OibRf+PyICchePRztgBtaGF1dGhEYXRhWKS/q8N0MpWLBjNg\
        061kYcnEc1rn+O3UZZKl4PAUUrLktV0AAAAA34UOCdtq+9+rUWl3kVBs/AAgRV7zTiBDqH2z1K/rObvLbMMt+TR8eJqGXs3KEpy+9YylAQIDJi\
        ABIVgg6xUcgXayJcxlFVn+zwevRQ/YWAIEZlazTBj2zxk4Q8UiWCCSe4qkJ6K+G4g00jOi009h8Tv9RBGcMl1YluGD/uSE8g== RHihCxNSNI3\
        RYME1Ow1Gm12xnrkcJ/ffpv7Tn+Jq8gs= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiUkhpaEN4TlNOSTNSWU1FMU93MUdt\
        MTJ4bnJrY0pfZmZwdjdUbi1KcThncyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRG\
        F0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMg\
        dGhpczogZ1RiNTNyejZFaFNXb21YR3ppbUMxUSJ9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUJAAAAAA== MEQCIDMQuUMZA8QB\
        8b4r3I0jpAB2gtu93PhGmUlHt/Rl2vhAAiBOlN0ABHsxYGGzuZdyt+/ZWZSoPvWEs7a4Jeo1UCUbZg==
        """)

    package static let noneES256CrossOrigin = PasskeyVector(
        "none-es256-crossOrigin",
        """
        O+WqzQNTcUJHI0CrWWnyQPHYdxbiC2gHrCMGVfpLO0k= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiTy1XcXpRTlRjV\
        UpISTBDcldXbnlRUEhZZHhiaUMyZ0hyQ01HVmZwTE8wayIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6dHJ\
        1ZSwiZXh0cmFEYXRhIjoiY2xpZW50RGF0YUpTT04gbWF5IGJlIGV4dGVuZGVkIHdpdGggYWRkaXRpb25hbCBmaWVsZHMgaW4gdGhlIGZ1dHVyZ\
        Swgc3VjaCBhcyB0aGlzOiB6WnF1RXREUjlEV3FwVzV0QldURnVnIn0= o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikv6vDdDKViwYzYN\
        OtZGHJxHNa5/jt1GWSpeDwFFKy5LVFAAAAAIg/T2AU8ZwJ2HqjgSO+SNAAIG4QUMDSyi8Hx1XLLGanTGT6QwZcGPk4NU2ZFdsr1c5XpQECAyYg\
        ASFYICIgCkc/kLEQeIUVUNA7TkSiJ5+MTsonsxU97f4D5Ol9Ilggy9C+ledGrW9agZG+EXVuTAQg5y9ltGbTm8VrixI6nG4= h2qlF7qD/e5l/\
        P/bykyE7q5dVPgEGh/IXJkeW7snMTc= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiaDJxbEY3cURfZTVsX1BfYnlreUU3cT\
        VkVlBnRUdoX0lYSmtlVzdzbk1UYyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6dHJ1ZSwiZXh0cmFEYXRh\
        IjoiY2xpZW50RGF0YUpTT04gbWF5IGJlIGV4dGVuZGVkIHdpdGggYWRkaXRpb25hbCBmaWVsZHMgaW4gdGhlIGZ1dHVyZSwgc3VjaCBhcyB0aG\
        lzOiA5MnBjVFZEMEFieS1xNGR0bWo2ZWZnIn0= v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUFAAAAAA== MEYCIQDrEvzyOxJ2TA\
        8SLiI3H6uS4oOHn9eY847hhByVG25A5wIhAMdiN/+dt3s8VvMIN82moJrPoukVVE5gnAczsRhANtHP
        """)

    package static let noneES256TopOrigin = PasskeyVector(
        "none-es256-topOrigin",
        """
        Th9MYZhpnjPBTxkhU/Sdfg6ONXfVrEFsXzrckqQfJ+U= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiVGg5TVlaaHBua\
        lBCVHhraFVfU2RmZzZPTlhmVnJFRnNYenJja3FRZkotVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6dHJ\
        1ZSwidG9wT3JpZ2luIjoiaHR0cHM6Ly9leGFtcGxlLmNvbSJ9 o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikv6vDdDKViwYzYNOtZGHJ\
        xHNa5/jt1GWSpeDwFFKy5LVBAAAAAJdYb9CXmadkAcIARVCZ7yoAILitWbmWBHqxjizrVyBsNi2ldFh5NIH0qOvxAcfKfMDxpQECAyYgASFYIK\
        HEfB2C2k6+gs1yIHECs4BnBwGZO8NTmK4uVyZCf+AdIlgghsEIDYKYcCjH9U7LGwEYXeJDs1kpSg7SEM1HSA8K3Ig= 1UpcjKS2Ko47syHjsrx\
        zhW+FoQFQ2yk5rBlXOeseoGY= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiMVVwY2pLUzJLbzQ3c3lIanNyeHpoVy1Gb1FG\
        UTJ5azVyQmxYT2VzZW9HWSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6dHJ1ZSwidG9wT3JpZ2luIjoiaH\
        R0cHM6Ly9leGFtcGxlLmNvbSIsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmll\
        bGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogVWlGb0pNVlJRSERBRldGaTR2eFVwUSJ9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSp\
        eDwFFKy5LUFAAAAAA== MEUCIQC1pwyBeA1fzJpPKunKrpkFj4rMr1i5H7WTKWRsKKxv/AIgEuEBwWXbPI6ZV/DFTdbKm1a8O9LygL0vqmwdAs\
        blwXE=
        """)

    package static let noneES256LongCredentialID = PasskeyVector(
        "none-es256-long-credential-id",
        """
        ERPHJlzPXmUSQoL6HXgZp6FMuFOapM2+x0h+XzXY7Gw= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiRVJQSEpselBYb\
        VVTUW9MNkhYZ1pwNkZNdUZPYXBNMi14MGgtWHpYWTdHdyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2V9 o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkEg7+rw3QylYsGM2DTrWRhycRzWuf47dRlkqXg8BRSsuS1SQAAAACPM2DCzRsKwU/+\
        B5XF0mOOA/86dhpOFnStbEMFhpQ1wO7pwoYXLCKbuRtItK2hQMCGNBcDEwXM5bSieojX/nKKX1pifedxtLQOd/GHmAwST5/oMtcTYBBDagVszn\
        FmgFh9Ixh88fwsYq6G/D5Qjulhf/x0+8EEiOwW7F6QljKGaaiYcJtlXlSXOMZmwa5igdw7X3M8JR0+77du5wo4BcqRvMGOScjcf2Pry0hrqMPW\
        q1K4j/csalu0fDLz7oaDo93Iq/YIcESOyKIbW9yxg8ferYcCVVdabflusbaioQGXgMup5Ih7F/8RZLu8wQ6w2G7XWYTNP6NBkQMCRQff2c6Pks\
        Vq95FMsLtQuHuoKjErt9zZMCjb3NatsmaXlmcVgzUXHjaC03dVcB7b+dhyhGopHUnlfvCdoexjf1BS7SqnQH9+YYJ0aOlLRhhE9MZ75fqcYFWl\
        Zvj9/CnUv3ip/ydfVSzGi6VD+jli7qNv0eqEU3ZFd9Ah0KGB78H2EAqy5BEAOeIe4WlwvadDK2E0SSFVr8EmKVs6LszRLGamjjQJaemV4+jJxH\
        bjlc/CEgNBQRB3lHTxyXl0BmN9vkFPEyUZ078M5PAXNO8OGhLDrWBP8V12axYk22pafMv/e8NcmQjflKuid+CvSPBP89FjgcR+WjftOYimejse\
        yqkmM2szOR//BBKPhpmRyfq9kFtv487vX4tjDsHF0mNtWxlhrVylAEFw9vXkgnkqrZibAof+keXEeUAzlxUvH6Vqp5sVbrR+bI6j6xdcNM+zit\
        jncodGObECPU0BOVyU5VgxZxzAIqpvoeAqAsLkq8d29pYOUfg7cajA8ge2o0dXOXeBLJqlSAsAEapzm9S3bBjAAMxHV8zsy5IPAHxAwA435ash\
        R2zZ9gVKj/+1WhCPXHBuLOogSdgf0yH/R9KldhsIAJVasdT0iJ9VqE4mAcaE8XpK3nRT6klZHQtZyNmnZQUvYiGc9u9KXdlTnwYX1uu+vOfAAE\
        VUddGESeJcSe+aHj7+GMCQguviBY18NH3vqpLwZkVTuAXH12u/zl8zCsoiCskKeJOA/EeeoNh5MgWBPMpZCpEvaZrVL5kaG8ClA8PsSyppZxnj\
        wmWRqHEn9zBcx+cvTI45NV67BqWxBCmQ84cQ7nqmEu5DdLuC6HhYWnCpbCprR/EBpP8VS+T9dqMWdXelzFTZFnwVTGmsNUheRMyJi3GeG+PMnA\
        +1YkuPig2uEJR6Qb+Ei2wbsz0QBuwHfX4obj8qe0hDcWOQEZRJ/ich6Bpe0jM9MxxxIHZdpY+trnPBnZqMRQnPisHp2Yt5mlJ0UJBpc5tYI/P7\
        SWZjggAzQmmI7vylPlgOD54N/gmS/C5TqX4FNjn5hXcFj5lb29Qc79ulAQIDJiABIVggO4F2t1BEicxZMEbXmIq7eQWnQt5qws3HSKhzxmPpDL\
        EiWCAUNtXtyadfI5me751ZUKXCRVUU7hAUCEcg+EGga4KKEQ== 7x3rpW3OSPZ0pEfM9juVmSWM6HZI5cOW8u8ModpGDjs= eyJ0eXBlIjoid2\
        ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiN3gzcnBXM09TUFowcEVmTTlqdVZtU1dNNkhaSTVjT1c4dThNb2RwR0RqcyIsIm9yaWdpbiI6Imh0\
        dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUNAAAAAA== MEUC\
        ID7O+D+xKgyueEEFX5+HEDqZ/RS0JBlLvwbEYj0+5uP9AiEA0qzjRtsmKxN0prcPqlH1GKQt3KE6QSXOb1BSp1usn7Y=
        """)

    package static let packedES256 = PasskeyVector(
        "packed-es256",
        """
        wRhKX934BF4T3Ef1S2H1pla2ZrWQGPFthw6SVumVIBI= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoid1JoS1g5MzRCR\
        jRUM0VmMVMySDFwbGEyWnJXUUdQRnRodzZTVnVtVklCSSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogOWE4Yk5ZaktDZ1dyQlhVLWZDbDFhZyJ9 o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIgPxnsSy\
        KfRquMRe/ym5BP8QwDkNxAvxIW8Ep49M66NCUCIQD+cEGjJ1mv8FoPnybHCpmceihEUbqJI0odNIPCXiGSW2N4NWOBWQIlMIICITCCAcigAwIB\
        AgIRAIjCIPg8jvH+r+lN6uRfqtAwCgYIKoZIzj0EAwIwYjEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJT\
        AjBgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAw\
        WjBfMR4wHAYDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdG\
        lvbjELMAkGA1UEBhMCQUEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASpG6Q4lAndOKQoFBlAyo/rGsDXtDUFWBBKN3ekkyLzeYRA83izOYqy\
        07t7+RMiyS6yNVb1mtCoNv7Ex2Y7Dk3Do2AwXjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAdBgNVHQ4EFgQUpYm6ctBghCqxH3T7JG\
        ve2rFvm5swHwYDVR0jBBgwFoAURa/3FbDdeGdB/umW68FlR6OTGx4wCgYIKoZIzj0EAwIDRwAwRAIgFya52F7Nil7VEWNyLKOiCIb9myQqCqBF\
        PUQhFgdd79UCIH70ceUwrIeWGoin8NDBewkf/GuSONMPefY1tBe+WRDnaGF1dGhEYXRhWKS/q8N0MpWLBjNg061kYcnEc1rn+O3UZZKl4PAUUr\
        LktU0AAAAAh2yk9SBxw+myVQnvLN9+1gAgyab1s0YtAoc/6gxWhiI0+Z8IFygITlEbt3YCAaiQVKWlAQIDJiABIVggHPJ/JdpZEgikI5wuMk8Q\
        T1hVJUeaKe3u3YMPSOd66uUiWCBZ5LfabAEG4gbOOQyTq5ihWl7DiH5X8Mwr7OgDuSDEIw== sRBvpGpXvvF4FRHAVX3ImKA0E9Xw8X0kRjDBl\
        MfhrbU= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoic1JCdnBHcFh2dkY0RlJIQVZYM0ltS0EwRTlYdzhYMGtSakRCbE1maH\
        JiVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09O\
        IG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogQVpNd3lNeEliRDgtdW\
        d1Rk5wNnI4USJ9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUNAAAAAA== MEUCIGlJadPuko3m8C7yOpxkTX13mRZFFzSpS0MlQv\
        SYoevpAiEAiwgZyCQhipcVLNCZxVv7FHeynZAKSaZAGDFPm/zNoWM=
        """)

    package static let packedES384 = PasskeyVector(
        "packed-es384",
        """
        VnsDCz4Ya8HRad1Ft5+eDYbx/WNHTaPq3lvbjbN5oMM= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiVm5zREN6NFlhO\
        EhSYWQxRnQ1LWVEWWJ4X1dOSFRhUHEzbHZiamJONW9NTSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2V9 o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIhAMVuzJcLeEODPg9GH94mIz9h6zlRYdSBVYwIucbtYWdbAiAp9eBQM3Bc\
        0PmwoH4UlGjsMIpPhJBkCe/c6x2iCnUY1mN4NWOBWQIlMIICITCCAcegAwIBAgIQPQpViLuH67HUzuShgHwbfDAKBggqhkjOPQQDAjBiMR4wHA\
        YDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzElMCMGA1UECwwcQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbiBDQTEL\
        MAkGA1UEBhMCQUEwIBcNMjQwMTAxMDAwMDAwWhgPMzAyNDAxMDEwMDAwMDBaMF8xHjAcBgNVBAMMFVdlYkF1dGhuIHRlc3QgdmVjdG9yczEMMA\
        oGA1UECgwDVzNDMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQswCQYDVQQGEwJBQTBZMBMGByqGSM49AgEGCCqGSM49AwEH\
        A0IABBflzJHWdtNw42qn3kDCWqy0WjhF8T0pMgiOziJwubQxJBwhnCLQwlbJQ4reAPLAXmL475Brm5l66fPEYMLbZvWjYDBeMAwGA1UdEwEB/w\
        QCMAAwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBTHyN2VOCoiMOTA3TZkM4+pCBaanDAfBgNVHSMEGDAWgBRFr/cVsN14Z0H+6ZbrwWVHo5Mb\
        HjAKBggqhkjOPQQDAgNIADBFAiBUBozJrgOJN7fEaMMH7bnGkn/962ogBwxIPrQDMPmfEAIhAM9BlTkZw8BGk9ax9CphN1PyBOcOhfxumxcDYX\
        C4NZbgaGF1dGhEYXRhWMW/q8N0MpWLBjNg061kYcnEc1rn+O3UZZKl4PAUUrLktVkAAAAA6VDc2jva4dCHzaOAqJeEiwAglTri3Z8osaHVgCyD\
        4fZYM7uXaaCN6C2BK8J8E/xvBqmlAQIDOCIgAiFYMEhmvYsB2nienrgG5eqwWuWmOFQilqsFei8bvOm1j4oIuRcTkLWKN6x//8LF9FhX2iJYMC\
        oLAkx/S3IHKh+WvTCnJhqulXHdOYcOsp5VwJQcawjolimh6hIWqmTOV8KAe/OQGg== /0HD0l29iWb7YeKO9eRwQeE37SaFIEEtdiAroK0tFFM\
        = eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiXzBIRDBsMjlpV2I3WWVLTzllUndRZUUzN1NhRklFRXRkaUFyb0swdEZGTSIs\
        Im9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5\
        LUNAAAAAA== MGUCMQDk77tGdF7QDmfE1Rqyusqyr2L/qLfF/s7G19m/JYInUDSnE6PdcxaF7uga369qpj8CMBYWVTU/B+AYo8JTn43nyMTPiN\
        TDLSvin+Tnb6CW7MlFi7/giV1XEpqzJBMObwaS2w==
        """)

    package static let packedES512 = PasskeyVector(
        "packed-es512",
        """
        TuIgzZKwfhFFHLTCAcV1W9h5hI5JKpsS15E1xidk3C/Sjq1ICMr+WtHej6ngjUqO6v6k37Mzh3sCvFA/R107DBOUp2g7qvTyR3gp97jPdQlImF\
        VYdIwHMGg5b8/c0/JFvyA45rs411MnaKrRO+jBGPcnci50JhOQQenKylA4hMU= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmd\
        lIjoiVHVJZ3paS3dmaEZGSExUQ0FjVjFXOWg1aEk1Sktwc1MxNUUxeGlkazNDX1NqcTFJQ01yLVd0SGVqNm5nalVxTzZ2NmszN016aDNzQ3ZGQ\
        V9SMTA3REJPVXAyZzdxdlR5UjNncDk3alBkUWxJbUZWWWRJd0hNR2c1YjhfYzBfSkZ2eUE0NXJzNDExTW5hS3JSTy1qQkdQY25jaTUwSmhPUVF\
        lbkt5bEE0aE1VIiwib3JpZ2luIjoiaHR0cHM6Ly9leGFtcGxlLm9yZyIsImNyb3NzT3JpZ2luIjpmYWxzZSwiZXh0cmFEYXRhIjoiY2xpZW50R\
        GF0YUpTT04gbWF5IGJlIGV4dGVuZGVkIHdpdGggYWRkaXRpb25hbCBmaWVsZHMgaW4gdGhlIGZ1dHVyZSwgc3VjaCBhcyB0aGlzOiBvM3FWak9\
        MMnRUV200R3hreklfUWdnIn0= o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIhAM4Vj2wEqlwUwN0+EQPPk2ZIlvtcM3pm29fb\
        oxVG/w1BAiBxy80NO44him0FN04O+AMTKdJQWQAqwWA9AtX9igopy2N4NWOBWQInMIICIzCCAcigAwIBAgIRAIoSi36+UrmTg1d55tm4E1UwCg\
        YIKoZIzj0EAwIwYjEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJTAjBgNVBAsMHEF1dGhlbnRpY2F0b3Ig\
        QXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAwWjBfMR4wHAYDVQQDDBVXZWJBdXRobi\
        B0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjELMAkGA1UEBhMCQUEwWTATBgcq\
        hkjOPQIBBggqhkjOPQMBBwNCAASUC2iIUpFTbi98YMBaz7JS5+689DBEJd2Tq3sZYvIEkr8Y3A8ShiWZ6B+3ZKySFR+aePy7NdeibIxSlJsYEz\
        wGo2AwXjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAdBgNVHQ4EFgQUP/rYY6vNPcVxe4olIYn0Gvl+fzEwHwYDVR0jBBgwFoAURa/3\
        FbDdeGdB/umW68FlR6OTGx4wCgYIKoZIzj0EAwIDSQAwRgIhAIMsi2TE8BiL0y4b7GPhMwHNwDFl0++EDR89q7mlcZ+DAiEArdV6nVvt7Jjyki\
        LfyX6nldBV7hOgKhU9Ar6c4Art65FoYXV0aERhdGFY6b+rw3QylYsGM2DTrWRhycRzWuf47dRlkqXg8BRSsuS1TQAAAAA52M5qPPYQJXdQg6c4\
        5cJUACDRfVr34/N8VmIqZ8hGLJ4cYzbfzLi2HTWdxHN426WM5KUBAgM4IyADIVhCAIMkCiw60ho9wKbao9i8BaRtfNmCW6AQrioiaGwtbWY9fV\
        9niYf7HnZ1QuY9wZeukV4l+O4oRlGvKQZpEKLMCD9QIlhCAXM330erXM5dcW74yv+pejASaJsfMm6mxDobqVlscvcfASI5AUNVK0K+dytMNf+5\
        YSIMdDtIamAepMttVBL1sHjT CNMZDG3LPU8MtlmgMzv16hJN3zagzTPVIEsNeiKozCby5PFp0gAoXHez+yLg8cf0mofUvi0l6S15eAjdqqm1c\
        V79OmrakznTBSpofbxdL4yHGwRR4GkfV60ThUG3ty56qJM3KewcZkvy5N7a4WFtCOzvqAoqU7EDZjzlqIEEiCk= eyJ0eXBlIjoid2ViYXV0aG\
        4uZ2V0IiwiY2hhbGxlbmdlIjoiQ05NWkRHM0xQVThNdGxtZ016djE2aEpOM3phZ3pUUFZJRXNOZWlLb3pDYnk1UEZwMGdBb1hIZXoteUxnOGNm\
        MG1vZlV2aTBsNlMxNWVBamRxcW0xY1Y3OU9tcmFrem5UQlNwb2ZieGRMNHlIR3dSUjRHa2ZWNjBUaFVHM3R5NTZxSk0zS2V3Y1prdnk1TjdhNF\
        dGdENPenZxQW9xVTdFRFpqemxxSUVFaUNrIiwib3JpZ2luIjoiaHR0cHM6Ly9leGFtcGxlLm9yZyIsImNyb3NzT3JpZ2luIjpmYWxzZX0= v6v\
        DdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUZAAAAAA== MIGHAkIAm9oC/jhOd7y5+0KwfDlbelPsnZYW3QMIq4SVwhQcg2TH0W4hKkpP\
        uOOYf/bJnq/WTYSE/SjD/Hlo9lipAz0bsbgCQWOD6fPuIMaRtmYgKZ/vNr6i3005ySsurZL1jnt5qw2YZNLr87Dcxm6hMjRJLM7m6dQh20PJWb\
        y5TBYtyUlBNsn2
        """)

    package static let packedRS256 = PasskeyVector(
        "packed-rs256",
        """
        vqjwdwAJvVfywN9v6p90Oifkthu+kjyGLHqtep/I5KY= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoidnFqd2R3QUp2V\
        mZ5d045djZwOTBPaWZrdGh1LWtqeUdMSHF0ZXBfSTVLWSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2V9 o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIhAIuMXG6owULAMuC+aeE1PURGHFyRCZQc3alRuXbrlbazAiBNUvQGwZ4l\
        Sz/5WJvRgHD7BVrI2xL90KZzS+qdcWjpAGN4NWOBWQImMIICIjCCAcegAwIBAgIQH2+3pezoG0WJa5g6mV2l8zAKBggqhkjOPQQDAjBiMR4wHA\
        YDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzElMCMGA1UECwwcQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbiBDQTEL\
        MAkGA1UEBhMCQUEwIBcNMjQwMTAxMDAwMDAwWhgPMzAyNDAxMDEwMDAwMDBaMF8xHjAcBgNVBAMMFVdlYkF1dGhuIHRlc3QgdmVjdG9yczEMMA\
        oGA1UECgwDVzNDMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQswCQYDVQQGEwJBQTBZMBMGByqGSM49AgEGCCqGSM49AwEH\
        A0IABLeza3VCoREgtEPHlNDJn9wloGt2WGQT2B4IYWPvb+FHpVevw04oYdkFfW1GXUcFoDEFUL3utfNe41uUJauFmYGjYDBeMAwGA1UdEwEB/w\
        QCMAAwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBT7N7ZHvM+55U2YnqqswWM4aHA/szAfBgNVHSMEGDAWgBRFr/cVsN14Z0H+6ZbrwWVHo5Mb\
        HjAKBggqhkjOPQQDAgNJADBGAiEAuGvBKdkq/KfZhpo59w8TmjBbQHOjnrZU2BQkvtV1fZECIQDPn3xgyrfEp9Pn8AIPKBqT1P0Kn5USG5ifVp\
        MqaIhfumhhdXRoRGF0YVkCG7+rw3QylYsGM2DTrWRhycRzWuf47dRlkqXg8BRSsuS1XQAAAABCj4h4KYuYYqNq2MdSe/7yACCZKhisyD9nUzYA\
        wROKS0xL0jbeE2Kc8CXtF8sAsAt036QBAwM5AQAgWQG0A/////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////f///////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////gAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAASFDAQAB KV9Z9fqP5ixayp4nYmx4yNo3aub\
        YzS3SmuutYB4bxMU= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiS1Y5WjlmcVA1aXhheXA0bllteDR5Tm8zYXViWXpTM1Nt\
        dXV0WUI0YnhNVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5\
        /jt1GWSpeDwFFKy5LUZAAAAAA== AQY9UtfDm01DL8cGPF2T5YK9yxaInNcfiI1n2IDqcwpChJjTvI4e4R8rHsvmwpKxGMVf+q3e+oytClTdE3\
        xR8e7Gc/G7bE0XidaCaiIrItD1hfyQH9yTMhLledGZuJ1nKqRIkTM+ahNVU2Al6CslWQJWw1OCKbVXNwg7L2uTd+SeJHLxGVL3n90NoYC1/9kB\
        tASajwgbtAcRvvdsYq7ZQ1cfLQV1MEy1SdaNiJL5UIajD5Nxau6Bj43AbpbA1eDtTPqf2Hc9kEZLaM8UD3mGZm/5yeMwKs0FNdYNdp9GXiq1fv\
        iqvIn8z+97oypkFUqLPSa+Ipj0cLjMU3fb49/UsLRfjwHmO95s/Ha2J3H5twqifPQBUsrZOqWs14T9S5D2duLqgo0L8kAK67quQVPlg49Tf4i2\
        IoNGeCqTqJm+Zux33kWz788xHaYyHJLmsM0Rv+ZTvz6YzujjQfAtZ9u2+cmNnoF4CQz7W3D7xtVBWZrHlK4vHU3hKG7I3owtr3sdFchDjpDZJN\
        9cGQRSIKTIQ4wbl5u+AWzz0O7sI8OZnUiCzGRbd23pMHVmEs3G3TmBYP8Cpg==
        """)

    package static let packedEdDSA = PasskeyVector(
        "packed-eddsa",
        """
        qKv52r3GsN9jRms5vanoo0o04YUzelnxxXmZBnbTs70= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoicUt2NTJyM0dzT\
        jlqUm1zNXZhbm9vMG8wNFlVemVsbnh4WG1aQm5iVHM3MCIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogQl9EVDVnN1pEXy05T1RMWVg1SXZFUSJ9 o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEgwRgIhANg/YL\
        2AJpU3WDIYhYrvsDrFfUX6BuQv6q4zLRh/YtqfAiEAoCvTy29+HSg8k7rR8/S1pMBJRGPaf9vyVpSRFnVNHxdjeDVjgVkCJzCCAiMwggHIoAMC\
        AQICEQCyz8nqM8hkOw4adgRj6vFkMAoGCCqGSM49BAMCMGIxHjAcBgNVBAMMFVdlYkF1dGhuIHRlc3QgdmVjdG9yczEMMAoGA1UECgwDVzNDMS\
        UwIwYDVQQLDBxBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uIENBMQswCQYDVQQGEwJBQTAgFw0yNDAxMDEwMDAwMDBaGA8zMDI0MDEwMTAwMDAw\
        MFowXzEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YX\
        Rpb24xCzAJBgNVBAYTAkFBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3St6VktzuMC4HExi5SGSXE0RmOyfWD2/HuvjZLZc2cKam980aqqB\
        +2uVB+UkmlL9r4454msLfcRZkqfiM7cPcKNgMF4wDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0OBBYEFAridUa8fsyxtLWXvT\
        VPDAsfH4+OMB8GA1UdIwQYMBaAFEWv9xWw3XhnQf7pluvBZUejkxseMAoGCCqGSM49BAMCA0kAMEYCIQCg1DTstfw7/X2l9BkEUXrSg2JJ9WG9\
        g0unpDioq3pM6AIhAPrIRbt6AlE7WOnzGWVNvkmw8CuVg1usVoxx+KGM3emraGF1dGhEYXRhWIG/q8N0MpWLBjNg061kYcnEc1rn+O3UZZKl4P\
        AUUrLktUEAAAAA1aozWB6MpHjiD+cT9dMv8gAgzp+EDtllmVgM0UD7x7syMGM/UPYQQa/3Mwiuccqoor2kAQEDJyAGIVggROBt3TMcNqjcZnur\
        UryuY0hskWql4znmrOuqhJNL+DI= iVlX4BxjOmmDSKLYoxpUt9sn6MHEOyCA15riGQJnv9I= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hh\
        bGxlbmdlIjoiaVZsWDRCeGpPbW1EU0tMWW94cFV0OXNuNk1IRU95Q0ExNXJpR1FKbnY5SSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcm\
        ciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUBAAAAAA== 9cWcfkbDT2+MwZcQHd+ZNPollf\
        aOsZE6Y36EGeubpM/fxI+FOTvA1AsBHw1v7LCX1mB1JXEyI6DcDUU5k9rgCw==
        """)

    package static let packedEd448 = PasskeyVector(
        "packed-ed448",
        """
        JXjQgBtaAFtUUeVAEheIywGUnhh7kdsT9YdVQD778zc= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSlhqUWdCdGFBR\
        nRVVWVWQUVoZUl5d0dVbmhoN2tkc1Q5WWRWUUQ3Nzh6YyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogQlFxQTNpZUhWU0hNVERNV3dHMmtLdyJ9 o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIhAMVDC2\
        tT9rj9Hl+kaufruPnprg0Q68dI6Hbi2XmzmxOCAiAIxc2orxdPLTwFDV0U7sByEDE2TLEpJKBmM9SSTGvK02N4NWOBWQInMIICIzCCAcigAwIB\
        AgIRAM/0IoaX1uWsR0gLI5BnfwUwCgYIKoZIzj0EAwIwYjEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJT\
        AjBgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAw\
        WjBfMR4wHAYDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdG\
        lvbjELMAkGA1UEBhMCQUEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS4Wq95DIJAN8/p/FarjXzm+/r/Lj/nyNdFc0w8bjxs6IDVBczbHiw3\
        OGgOb0n0deTY0LbCkGDm4NemOS+2kJTOo2AwXjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAdBgNVHQ4EFgQU+o+BwtzA4ZSuUDTH55\
        3PbZ2Fk+IwHwYDVR0jBBgwFoAURa/3FbDdeGdB/umW68FlR6OTGx4wCgYIKoZIzj0EAwIDSQAwRgIhAOdh9UIVrZLyfCwUue6j456MIkKegz7L\
        pb6RiYeqcuDmAiEA1acU30ecI4WGt9nmaE6oSZEIcDiw/vaim1e2a3TfBf1oYXV0aERhdGFYm7+rw3QylYsGM2DTrWRhycRzWuf47dRlkqXg8B\
        RSsuS1WQAAAABByROu2pJf4CJzMi40wq5nACAiT83jJOawde3lUJiiS53c5fWnxx0jcD79Uoo4+KXzPKQBAQM4NCAHIVg5gFHvT5RnC1q/F9ou\
        lVi6brqU64cENjkVtNZm3ih60ynenx8HUhGrpgLcbnpeUrFajuHJhKn4iHOA GpQvQB2Njjb+iIw1witxgheAL8ZoW/E5xHsxFAgShpM= eyJ0\
        eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiR3BRdlFCMk5qamItaUl3MXdpdHhnaGVBTDhab1dfRTV4SHN4RkFnU2hwTSIsIm9yaW\
        dpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBl\
        eHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogWEtIamdiWGdDZUFYWU5zdXRqSXhidy\
        J9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUdAAAAAA== Bx25IUMOE8oaYH7tuWy9MP1jlGoG5zEhfK1v2CujuTDUgjCKLBAXUq\
        JRjP9wkY1KIPKb0u2k9FqAu6bErYWxD7chsYSXJbfb7zFdX7EBxtq4kLBtlKi1KnS1hI9o5hUq8khnt1VdKyK4lVy/9ch95zsA
        """)

    package static let tpmES256 = PasskeyVector(
        "tpm-es256",
        """
        z8gs3xzu6HYSCqiPA2TwkQGTRgz7l6MXsv4JBpT5opk= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiejhnczN4enU2S\
        FlTQ3FpUEEyVHdrUUdUUmd6N2w2TVhzdjRKQnBUNW9wayIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2V9 o2NmbXRjdHBtZ2F0dFN0bXSmY2FsZyZjc2lnWEYwRAIgZuWCamUgkQMP1ETjPD7KK8bcVIzzBFATrds4qmRXohACID86XJXJ5wfQ5VUE\
        G8yGmO5OvATibMi65FlwVHF4mFF2Y3ZlcmMyLjBjeDVjgVkCOjCCAjYwggHcoAMCAQICEDEfxC2gqxDEOpsb86deNOIwCgYIKoZIzj0EAwIwYj\
        EeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJTAjBgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24g\
        Q0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAwWjAAMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExU4/EJ\
        CU9g12mbfbXYOFaf/R8+HJ6JfNnrQAY/lALj6ZN+k2zx/NXrdD/0Q8l6su3NfI4ObPbP1BO4qxn/+naaOB0zCB0DAMBgNVHRMBAf8EAjAAMA4G\
        A1UdDwEB/wQEAwIHgDAdBgNVHQ4EFgQUX1Rstpc9SYHoD83HRjhZ9YeWgOQwHwYDVR0jBBgwFoAURa/3FbDdeGdB/umW68FlR6OTGx4wEAYDVR\
        0lBAkwBwYFZ4EFCAMwXgYDVR0RAQH/BFQwUqRQME4xTDAUBgVngQUCAQwLaWQ6MDAwMDAwMDAwFAYFZ4EFAgMMC2lkOjAwMDAwMDAwMB4GBWeB\
        BQICDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMwCgYIKoZIzj0EAwIDSAAwRQIgY8mieXuAZvHbNN1gnxq2aVYH56mOn/gJCmiFPJqfyUkCIQClWD\
        Gjn1uKKqmmiDeCnKv0P+oqXOpIWa6FHKx45qw+l2dwdWJBcmVhWFYAIwALAAQAAAAAABAAEAADABAAIEEgJpjJ2XU/tLs/J80J/muK/bdkOO4q\
        5U18na3hDYZLACDYc1EVzbMwpj6h1uQ9UAD0vVb5m86D7h1zMB/CcBFtB2hjZXJ0SW5mb1hp/1RDR4AXAAAAICd9DgVXndATIVpiJz9/Oj5+GR\
        6tJlSjA211paPuN6awAAAAAAAAAAARERERIiIiIjMAAAAAAAAAAAAiAAucQtiq1ZOTMbmvNxGvF58XEjF4CYyafQyon80fyADzxwAAaGF1dGhE\
        YXRhWKS/q8N0MpWLBjNg061kYcnEc1rn+O3UZZKl4PAUUrLktU0AAAAAS5Kjd/xfYQfEyFwZCtv9mQAg7Ce+x1IciUu7ghEF6jckyQ53DPH6NU\
        FX7xjQ8Y94vqmlAQIDJiABIVggQSAmmMnZdT+0uz8nzQn+a4r9t2Q47irlTXydreENhksiWCDYc1EVzbMwpj6h1uQ9UAD0vVb5m86D7h1zMB/C\
        cBFtBw== AAk7ZsIdW16J96BwghGJB+o+UC00OzFLjFpU1i2yAvs= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFrN1pz\
        SWRXMTZKOTZCd2doR0pCLW8tVUMwME96RkxqRnBVMWkyeUF2cyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbi\
        I6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUNAAAAAA== MEUCIGDcdrFgfscWxuXrqNBWaV7WvEey49enKcNOdZ46tm\
        qgAiEA0BCp6P3ctkxDnf3KYo3bM88kXVZ9FX2fZvlCYBvtmzg=
        """)

    package static let androidKeyES256 = PasskeyVector(
        "android-key-es256",
        """
        PeHwtzZdzN4/8MvyXib/p7r/h+8QbID8hl3EAtmWAFA= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiUGVId3R6WmR6T\
        jRfOE12eVhpYl9wN3JfaC04UWJJRDhobDNFQXRtV0FGQSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogVlYxY1F1UjJxTE1fYW1QZm9IekwwZyJ9 o2NmbXRrYW5kcm9pZC1rZXlnYXR0U3RtdKNjYWxnJmNzaWdYSDBGAi\
        EA6VUSmCqj8hbP8uh8jsVwV7hSn2dOqr7Mqif9A9h3nxkCIQCvtr9FnaSoJvANAfxrYHEv8x3E6zMWGcj4dLsX5DFOlGN4NWOBWQJuMIICajCC\
        AhCgAwIBAgIQH/kfdrY/RIEvmYslCwKGvzAKBggqhkjOPQQDAjBiMR4wHAYDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1\
        czQzElMCMGA1UECwwcQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbiBDQTELMAkGA1UEBhMCQUEwIBcNMjQwMTAxMDAwMDAwWhgPMzAyNDAxMDEw\
        MDAwMDBaMF8xHjAcBgNVBAMMFVdlYkF1dGhuIHRlc3QgdmVjdG9yczEMMAoGA1UECgwDVzNDMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dG\
        VzdGF0aW9uMQswCQYDVQQGEwJBQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJkWllcDbQiaKpghp9AGPTQfGkYTOJNZY276tfPL8azP3ZHF\
        VUMXbqmbZEQG3R3WN3S2r2WsdZ4G/0CxyKsC32ujgagwgaUwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0OBBYEFBrIHlBkHo\
        0TOauffrJfDNWqwFSwMB8GA1UdIwQYMBaAFEWv9xWw3XhnQf7pluvBZUejkxseMEUGCisGAQQB1nkCAREENzA1AgIBLAoBAAIBAAoBAAQgtDUC\
        jXtqj4O7Rh1BwZsFOp082zA1Gk83TNTN6NvvtgYEADAAMAAwCgYIKoZIzj0EAwIDSAAwRQIgLSfwyjnS9Rn8j0nG2W38eTBZ4hH/gFFqUDmM8e\
        rCoyICIQDUgqiMdA9kz2qYzMbIufXh5TP6XlCfCntMOgL5ZKjrp2hhdXRoRGF0YVikv6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LVd\
        AAAAAK3pcF4c5whbiZpUDQIZm/gAIApHKVGXiLbtii13K0lOGGJE2MeYwFKWDbyMEMkVF2eVpQECAyYgASFYIJkWllcDbQiaKpghp9AGPTQfGk\
        YTOJNZY276tfPL8azPIlgg3ZHFVUMXbqmbZEQG3R3WN3S2r2WsdZ4G/0CxyKsC32s= 5O4Fyp287XQRZUDyTtmtxiquhQdWBSKET/p+6hT3r4Y\
        = eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiNU80RnlwMjg3WFFSWlVEeVR0bXR4aXF1aFFkV0JTS0VUX3AtNmhUM3I0WSIs\
        Im9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heS\
        BiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogcXhKeEItX3hncnd5TUw2MThk\
        clNuQSJ9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUJAAAAAA== MEUCIQCiteN9pDzrY1ZvbigXxsvvJhBz0Mrf0hP/Yim9M93q\
        bAIgPXfrMgL8krm1u4Q+8ILHdm+MfyMZTJJwj/Lz0d52Wo8=
        """)

    package static let appleES256 = PasskeyVector(
        "apple-es256",
        """
        9/aIIThSAHd1AJz4wJb9qJ1guan7WlDdgd2YmK9aBgk= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiOV9hSUlUaFNBS\
        GQxQUp6NHdKYjlxSjFndWFuN1dsRGRnZDJZbUs5YUJnayIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1c\
        mUsIHN1Y2ggYXMgdGhpczogVGpMUG5wT2FYUVVyRk5jYkgydFRaQSJ9 o2NmbXRlYXBwbGVnYXR0U3RtdKFjeDVjgVkCXDCCAlgwggH+oAMCAQ\
        ICEDlCdWE9UxC4GinOkPSLYcEwCgYIKoZIzj0EAwIwYjEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJTAj\
        BgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAwWj\
        BfMR4wHAYDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlv\
        bjELMAkGA1UEBhMCQUEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASKPVsbTFQ6cGv25LAK/ts8kwtpDdKGk0/ikR93nMd2Gvco4ao7D/Zmkh\
        ktqndrg9344zQNLZoOq9/DJOs+LxNso4GWMIGTMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBQS8c5sCuObQDv8kgAx\
        e8GDpOTXZjAfBgNVHSMEGDAWgBRFr/cVsN14Z0H+6ZbrwWVHo5MbHjAzBgkqhkiG92NkCAIEJjAkoSIEINeobnIz+4Q+sO60B9i3b/fk+C0hjP\
        XbtGHXUgc/XLKaMAoGCCqGSM49BAMCA0gAMEUCIHD1wu3jAA6drjWNQSsmpKy/GPTN64D1sT/NVk0JDDnsAiEA9nLiw9vhF8mxSQs8Zgq/Xc10\
        OYGHCC2stYtnRN5KymBoYXV0aERhdGFYpL+rw3QylYsGM2DTrWRhycRzWuf47dRlkqXg8BRSsuS1SQAAAAB0ghCiAHZhanM7IRQzb8OEACCcSl\
        iGr5KD2b4+nsVZeN7f3OLjs2XKsZOuhQwWI4+vuKUBAgMmIAEhWCCKPVsbTFQ6cGv25LAK/ts8kwtpDdKGk0/ikR93nMd2GiJYIPco4ao7D/Zm\
        khktqndrg9344zQNLZoOq9/DJOs+LxNs 0+spZGQeJv7QI0A6ct3gk7GcS6kAjD+d2D/P00embQU= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0Iiwi\
        Y2hhbGxlbmdlIjoiMC1zcFpHUWVKdjdRSTBBNmN0M2drN0djUzZrQWpELWQyRF9QMDBlbWJRVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS\
        5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUJAAAAAA== MEYCIQDuNdt5XOKAROH4Ix\
        1os9eamIL3QVqjXBtax00kJRBzyAIhANzGVpFlCkEtDO74Q3EMCYJ6zybHhFvdrAfuyVhj5/xM
        """)

    package static let fidoU2FES256 = PasskeyVector(
        "fido-u2f-es256",
        """
        4HQ3KZC5yqUHoiffxnsAN4DEUyU4DRqQwg+B7X0IDAY= eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiNEhRM0taQzV5c\
        VVIb2lmZnhuc0FONERFVXlVNERScVF3Zy1CN1gwSURBWSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmF\
        sc2V9 o2NmbXRoZmlkby11MmZnYXR0U3RtdKJjc2lnWEcwRQIhAPQYh6IAY7smhny5dRl4rM6luBeRpo9PTdbqH7alwIbDAiBOXgCqOJV3fmYI\
        8fN1+VRQBF2j2leg5P1FHfNaMdLZimN4NWOBWQIlMIICITCCAcegAwIBAgIQBPZtxlQup3Gd6kFtMlokATAKBggqhkjOPQQDAjBiMR4wHAYDVQ\
        QDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzElMCMGA1UECwwcQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbiBDQTELMAkG\
        A1UEBhMCQUEwIBcNMjQwMTAxMDAwMDAwWhgPMzAyNDAxMDEwMDAwMDBaMF8xHjAcBgNVBAMMFVdlYkF1dGhuIHRlc3QgdmVjdG9yczEMMAoGA1\
        UECgwDVzNDMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQswCQYDVQQGEwJBQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA\
        BFb/+nCT3t5Grv7vtuUgx8zHiWdjbi+SWCunFFX2TpOTLf875ODU72jj47c6oIfiagoKMLAtwqojCdtMOi/JNt6jYDBeMAwGA1UdEwEB/wQCMA\
        AwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBRCCCLrGQi1zTkRAX+8rUZBwF4FozAfBgNVHSMEGDAWgBRFr/cVsN14Z0H+6ZbrwWVHo5MbHjAK\
        BggqhkjOPQQDAgNIADBFAiANC3d/CgsYGtKDAnWswxUP1gkkMLzQNP13vre9+MLVRgIhANSGTt2V2qOScICFXfGZ8XFymbJKXuzvvQF0Vam5NN\
        j2aGF1dGhEYXRhWKS/q8N0MpWLBjNg061kYcnEc1rn+O3UZZKl4PAUUrLktUEAAAAAr7PC78BU30JQE9XIjnnDwQAgpLpuLSz+xDZI19JcXtVl\
        m8GPK3gVOFJ+vUkt4DJWvfSlAQIDJiABIVggsNYt5rMPhvC6x6kBaVE5HC4xhJ4uZGYcvSsTzX1VCK0iWCBQOwvaKjV6mks0R1oo5ltmC0iYqe\
        Ppu/CCDUNJQpft0A== +QxhKYHYT1mUON4aUA92km6SzIS++OAsbiNVPwBIVDU= eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIj\
        oiLVF4aEtZSFlUMW1VT040YVVBOTJrbTZTeklTLS1PQXNiaU5WUHdCSVZEVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9z\
        c09yaWdpbiI6ZmFsc2V9 v6vDdDKViwYzYNOtZGHJxHNa5/jt1GWSpeDwFFKy5LUBAAAAAA== MEQCIGFyRZlY/qkHtykrkvVVA0v9iEiV8oen\
        YgDBuihyORNwAiBHJ7FmFH4mohu8KSHRkuv+1Wm3lDhTjlwSi14o5pJt1w==
        """)
}
