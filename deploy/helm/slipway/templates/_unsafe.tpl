{{/* Settings that aren't safe fail the render, unless another setting accepts them. */}}

{{- define "slipway.checkAudiences" -}}
{{- range .Values.auth.issuers -}}
{{- if not (or .audience .any_audience) -}}
{{- $message := print
  "\n\nauth.issuers: %s has no audience, so its tokens for any other application would work here. "
  "Set its audience, for example to slipway. If it issues tokens for Slipway only, set its "
  "any_audience to true." -}}
{{- fail (printf $message .issuer) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Without the public suffix list: hosts of one registered domain share at least two labels. */}}
{{- define "slipway.checkSite" -}}
{{- $values := .Values -}}
{{- $agents := $values.agents.ingress -}}
{{- $publicHost := regexReplaceAll "^https?://|:[0-9]+$" (default "" $values.publicUrl) "" -}}
{{- range $host := list $values.ingress.host $publicHost -}}
{{- $ending := regexFind "[^.]+[.][^.]+$" (lower $host) -}}
{{- $isShared := and $ending (hasSuffix (print "." $ending) (print "." (lower $agents.domain))) -}}
{{- if and $isShared (not $agents.shareSite) -}}
{{- $message := print
  "\n\nagents.ingress.domain (%s) and the host of the API and the console (%s) both end with %s. "
  "If that is a domain of one owner, browsers send cookies that an agent sets to the console as "
  "well, so any agent can lock users out. Use another registered domain for agents. If %s is a "
  "public suffix such as co.uk, or you trust all agents, set agents.ingress.shareSite to true." -}}
{{- fail (printf $message $agents.domain $host $ending $ending) -}}
{{- end -}}
{{- end -}}
{{- end -}}
