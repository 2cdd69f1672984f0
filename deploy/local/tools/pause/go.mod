module slipway.dev/local/pause

go 1.24.0
