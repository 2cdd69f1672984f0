{{/* Checks of issuers and of the sign-in, with which services would not start. Root context. */}}

{{- define "slipway.checkIssuers" -}}
{{- range .Values.auth.issuers -}}
{{- if and .any_audience .audience -}}
{{- $message := print
  "\n\nauth.issuers: %s has an audience and any_audience: remove any_audience, so that only tokens "
  "for the audience are accepted." -}}
{{- fail (printf $message .issuer) -}}
{{- end -}}
{{- $keys := .jwks_uri | default .issuer -}}
{{- $isLocal := regexMatch "^http://(localhost|127([.][0-9]+){3}|\\[::1\\])([:/]|$)" $keys -}}
{{- if not (or (hasPrefix "https://" $keys) $isLocal .allow_http) -}}
{{- $message := print
  "\n\nauth.issuers: the keys of %s are read from %s without TLS, so anyone on the way can replace "
  "them. Use https://, or set allow_http to true if no one can change what this network "
  "transmits." -}}
{{- fail (printf $message .issuer $keys) -}}
{{- end -}}
{{- if and .userinfo .id_tokens -}}
{{- $message := print
  "\n\nauth.issuers: %s has userinfo and id_tokens, but its userinfo endpoint takes access tokens "
  "only: remove userinfo." -}}
{{- fail (printf $message .issuer) -}}
{{- end -}}
{{- $client := dig "login" "client_id" "" . -}}
{{- if and $client .clients (not (has $client .clients)) -}}
{{- $message := print
  "\n\nauth.issuers: login.client_id of %s is %s, which its clients don't have: its tokens would "
  "be refused. Add it to clients." -}}
{{- fail (printf $message .issuer $client) -}}
{{- end -}}
{{- end -}}
{{- if include "slipway.signInClient" . -}}
{{- include "slipway.checkSignInSettings" . -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkSignInSettings" -}}
{{- $signIn := default dict .Values.signIn -}}
{{- $client := include "slipway.signInClient" . -}}
{{- $issuers := list -}}
{{- $acceptsClient := not .Values.auth.issuers -}}
{{- range .Values.auth.issuers -}}
{{- $issuers = append $issuers .issuer -}}
{{- $isUsed := or (not $signIn.issuer) (eq (default "" $signIn.issuer) .issuer) -}}
{{- if and $isUsed (or (not .clients) (has $client .clients)) -}}
{{- $acceptsClient = true -}}
{{- end -}}
{{- end -}}
{{- $known := $issuers | default (list .Values.demo.issuer) | uniq -}}
{{- if and $signIn.issuer (not (has $signIn.issuer $known)) -}}
{{- $message := "\n\nsignIn.issuer is %s, which auth.issuers doesn't have: use one of %s." -}}
{{- fail (printf $message $signIn.issuer (join ", " $known)) -}}
{{- end -}}
{{- if and (not $signIn.issuer) (gt (len $known) 1) -}}
{{- $message := "\n\nsignIn.issuer is missing: people sign in at one of %s." -}}
{{- fail (printf $message (join ", " $known)) -}}
{{- end -}}
{{- if not $acceptsClient -}}
{{- $message := print
  "\n\nsignIn.clientId is %s, which the clients of its issuer in auth.issuers don't have: its "
  "tokens would be refused. Add it to clients." -}}
{{- fail (printf $message $client) -}}
{{- end -}}
{{- if and $signIn.scopes (not (has "openid" $signIn.scopes)) -}}
{{- fail "\n\nsignIn.scopes has no openid, without which no issuer signs people in: add it." -}}
{{- end -}}
{{- end -}}
