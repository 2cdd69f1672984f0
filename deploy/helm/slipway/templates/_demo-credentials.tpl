{{/* The credentials that the chart makes for the demo. They take the root context. */}}

{{- define "slipway.demoSecretName" -}}
{{ include "slipway.fullname" . }}-demo
{{- end -}}

{{/* A value of the demo's Secret, for `root` and `name`: the same at each render. */}}
{{- define "slipway.demoSecret" -}}
{{ printf "demo/%s/%s/%s" .root.Release.Namespace .root.Release.Name .name | sha256sum }}
{{- end -}}

{{/*
The demo's credentials by key, as JSON: those that aren't given. They can be derived from the
release's name, so that a render always gives the same values, and anyone can know them.
*/}}
{{- define "slipway.demoCredentials" -}}
{{- $secrets := dict -}}
{{- $c := .Values.credentials -}}
{{- if include "slipway.demoPostgres" . -}}
{{- $password := include "slipway.demoSecret" (dict "root" $ "name" "postgres") -}}
{{- $host := include "slipway.host" (dict "root" $ "service" "postgres") -}}
{{- $_ := set $secrets "postgres-password" $password -}}
{{- range $name := list "catalog" "deployer" "observability" -}}
{{- $key := (index $c (printf "%sDatabaseUrl" $name)).key -}}
{{- $_ := set $secrets $key (printf "postgres://slipway:%s@%s:5432/%s" $password $host $name) -}}
{{- end -}}
{{- end -}}
{{- if include "slipway.isDemo" . -}}
{{- range $name := list "secretNameKey" "idempotencyKeySecret" "sessionKey" -}}
{{- $own := index $c $name -}}
{{- if not (or $own.secret $c.existingSecret) -}}
{{- $value := include "slipway.demoSecret" (dict "root" $ "name" (kebabcase $name)) -}}
{{- $_ := set $secrets $own.key $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $secrets -}}
{{- end -}}

{{/*
The data of a Secret, for `root` and `name`, in base64 as JSON. For the demo's Secret, it is what
the chart makes: the cluster has it only after the install, or with the keys of an older release.
Empty if the cluster doesn't have the Secret or can't be read (helm template).
*/}}
{{- define "slipway.secretData" -}}
{{- $data := dict -}}
{{- if eq .name (include "slipway.demoSecretName" .root) -}}
{{- range $key, $value := include "slipway.demoCredentials" .root | fromJson -}}
{{- $_ := set $data $key (b64enc $value) -}}
{{- end -}}
{{- end -}}
{{- $found := lookup "v1" "Secret" .root.Release.Namespace .name -}}
{{- $data | default (default dict $found.data) | toJson -}}
{{- end -}}
