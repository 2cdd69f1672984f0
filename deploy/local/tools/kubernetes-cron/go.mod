module slipway.dev/local/kubernetes-cron

go 1.24.0

require github.com/robfig/cron/v3 v3.0.1
