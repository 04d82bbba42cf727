TOKEN=…  # printed at the start
curl -H "Authorization: Bearer $TOKEN" \
    -d '{ "endpoint": "kauth.kakao.com/oauth/token", "fault": "status", "value": 503 }' \
    http://127.0.0.1:9099/emulator/control/faults
