"""The commonest passwords that are long enough to be chosen."""

COMMON = frozenset(
    password
    for text in (
        "000000000000 010203040506 102030405060 111111111111 111111111111111 112233445566 123123123123",
        "123321123321 123456123456 123456654321 123456789000 12345678900987654321 1234567890123",
        "12345678901234567890 1234567890987654321 1234567890qwertyuiop 1234567891011 123456789101112",
        "123456789123 123456789123456 1234567891234567 123456789123456789 12345678987654321 123456789987654321",
        "123456789asd 123456789qaz 123456789qwe 123456789qwerty 123456qwerty 123admin321a 123qwe123qwe",
        "123qweasdzxc 159753159753 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o",
        "1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 520love101182 adminadminadmin",
        "administrator administrator1 asdfghjkl123 changeme12345 correcthorsebatterystaple cosmopolitan",
        "counterstrike demon1q2w3e4r demon1q2w3e4r5t finalfantasy ilovemyfamily international internazionale",
        "jesuslovesme letmeinletmein liverpool123 lovelovelove mainspring123 mainspringmainspring",
        "manchesterunited michaeljackson minecraft123 needforspeed password1234 password12345 password123456",
        "passwordpassword playstation2 playstation3 professional projectsadminx qazwsxedc123 qazwsxedcrfv",
        "qazwsxedcrfvtgb qazxswedcvfr qwe123qwe123 qweasdzxc123 qwegta13091990 qwerasdfzxcv qwerty123456",
        "qwerty123456789 qwertyasdfgh qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop123456 qwertyytrewq",
        "sdf7asdf6asdg8df sonnenschein starwarsfan10 stratocaster supernatural temppassword transformers",
        "welcome12345 zxcasdqwe123",
    )
    for password in text.split()
)
