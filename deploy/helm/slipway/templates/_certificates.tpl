{{/* Certificates in Secrets that exist: pods with others don't start, or don't become ready. */}}
{{- define "slipway.checkCertificates" -}}
{{- $v := .Values -}}
{{- $files := list
  (list "postgres.tls.existingSecret" $v.postgres.tls.existingSecret $v.postgres.tls.caKey)
  (list "nats.tls.existingSecret" $v.nats.tls.existingSecret $v.nats.tls.caKey)
  (list
    "clickhouse.tls.existingSecret" $v.clickhouse.tls.existingSecret $v.clickhouse.tls.caKey) -}}
{{- range $key := list "ca.crt" "tls.crt" "tls.key" -}}
{{- $files = append $files (list "rpc.tls.existingSecret" $v.rpc.tls.existingSecret $key) -}}
{{- end -}}
{{- range $key := list "tls.crt" "tls.key" -}}
{{- $files = append $files (list "agents.ingress.tlsSecret" $v.agents.ingress.tlsSecret $key) -}}
{{- end -}}
{{- range $files -}}
{{- $name := index . 1 -}}
{{- $key := index . 2 -}}
{{- $found := dict -}}
{{- if $name -}}{{- $found = lookup "v1" "Secret" $.Release.Namespace $name -}}{{- end -}}
{{- $kind := eq $key "tls.key" | ternary "PRIVATE KEY" "CERTIFICATE" -}}
{{- $pattern := printf "-----BEGIN [A-Z0-9 ]*%s-----[^-]+-----END" $kind -}}
{{- if and $found (not (regexMatch $pattern (dig "data" $key "" $found | b64dec))) -}}
{{- fail (printf
  "\n\n%s: the key %s of the Secret %s in %s must be a %s in PEM, with its BEGIN and END lines."
  (index . 0) $key $name $.Release.Namespace (lower $kind)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
