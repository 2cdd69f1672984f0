{{/* How people sign in with a browser. */}}

{{/*
The client with which people sign in with a browser; empty if they can't. In the demo they can if
the chart makes all keys.
*/}}
{{- define "slipway.signInClient" -}}
{{- $own := dig "clientId" "" (default dict .Values.signIn) -}}
{{- $isDemo := and (include "slipway.demoIssuer" .) (include "slipway.demoPostgres" .) -}}
{{- if $own -}}{{ $own }}{{- else if $isDemo -}}slipway-console{{- end -}}
{{- end -}}

{{/* Variables of the gateway for people who sign in with a browser. */}}
{{- define "slipway.signInEnv" -}}
{{- $signIn := default dict .root.Values.signIn -}}
- name: SIGN_IN_CLIENT_ID
  value: {{ include "slipway.signInClient" .root | quote }}
{{- with $signIn.issuer }}
- name: SIGN_IN_ISSUER
  value: {{ . | quote }}
{{- end }}
{{- with $signIn.scopes }}
- name: SIGN_IN_SCOPES
  value: {{ join "," . | quote }}
{{- end }}
{{- with $signIn.audience }}
- name: SIGN_IN_AUDIENCE
  value: {{ . | quote }}
{{- end }}
{{- if $signIn.confidential }}
- name: SIGN_IN_CLIENT_AUTHENTICATION
  value: {{ $signIn.clientAuthentication | default "basic" }}
{{ include "slipway.credentialEnv" (dict
  "root" .root "credential" "signInClientSecret" "variable" "SIGN_IN_CLIENT_SECRET") }}
{{- end }}
{{ include "slipway.credentialEnv" (dict
  "root" .root "credential" "sessionKey" "variable" "SESSION_KEY") }}
{{- if $signIn.formerKey }}
{{ include "slipway.credentialEnv" (dict
  "root" .root "credential" "formerSessionKey" "variable" "SESSION_KEY_FORMER") }}
{{- end }}
{{ include "slipway.serviceTokenEnv" . }}
{{- end -}}
