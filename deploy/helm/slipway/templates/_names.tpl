{{/* Names, labels and images. They take the root context, or a dict with `root` and `service`. */}}

{{/*
The beginning of all names. It has at most 38 characters: Kubernetes labels the pods of the
StatefulSet `<name>-observability` with its name and a hash of 11 characters, 63 in all.
*/}}
{{- define "slipway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 38 | trimAll "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $both := printf "%s-%s" .Release.Name $name -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name $both -}}
{{- /* Releases may have dots in their names, Services may not. */ -}}
{{- $full | replace "." "-" | trunc 38 | trimAll "-" -}}
{{- end -}}
{{- end -}}

{{/* The name of a service's objects. */}}
{{- define "slipway.name" -}}
{{ include "slipway.fullname" .root }}-{{ .service }}
{{- end -}}

{{/* The origin at which clients reach the REST API; empty if the values don't have it. */}}
{{- define "slipway.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{ .Values.publicUrl }}
{{- else if .Values.ingress.enabled -}}
{{ empty .Values.ingress.tls.existingSecret | ternary "http" "https" }}://{{ .Values.ingress.host }}
{{- end -}}
{{- end -}}

{{/* The host at which the other services reach a service. */}}
{{- define "slipway.host" -}}
{{ include "slipway.name" . }}.{{ .root.Release.Namespace }}.svc
{{- end -}}

{{/* Which IP addresses a Service has; empty: what the cluster decides. Takes the root context. */}}
{{- define "slipway.ipFamilies" -}}
{{- $fields := dict -}}
{{- with .Values.ipFamilyPolicy -}}{{- $_ := set $fields "ipFamilyPolicy" . -}}{{- end -}}
{{- with .Values.ipFamilies -}}{{- $_ := set $fields "ipFamilies" . -}}{{- end -}}
{{- if $fields -}}{{- toYaml $fields -}}{{- end -}}
{{- end -}}

{{- define "slipway.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .service }}
{{- end -}}

{{/* Labels of pods: no version, so that only a change of the pod itself restarts it. */}}
{{- define "slipway.podLabels" -}}
{{ include "slipway.selectorLabels" . }}
app.kubernetes.io/part-of: slipway
{{- end -}}

{{- define "slipway.labels" -}}
{{- $version := .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 -}}
{{- $version = regexReplaceAll "^[^0-9A-Za-z]+|[^0-9A-Za-z]+$" $version "" -}}
{{- $chart := printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" -}}
{{ include "slipway.podLabels" . }}
app.kubernetes.io/version: {{ $version | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ $chart | trunc 63 | quote }}
{{- end -}}

{{/* The reference of an image, by digest if one is given. */}}
{{- define "slipway.image" -}}
{{- $image := .root.Values.image -}}
{{- $repository := printf "slipway/%s" .name -}}
{{- with $image.registry -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) $repository -}}
{{- end -}}
{{- with index $image.digests .name -}}
{{ $repository }}@{{ . }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default $.root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/*
A service's settings as YAML: `defaults`, overridden by the block of the service. A null there
removes a key.
*/}}
{{- define "slipway.settings" -}}
{{- $own := default dict (index .root.Values .service) -}}
{{- $both := mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own) -}}
{{- include "slipway.withoutNulls" $both | fromJson | toYaml -}}
{{- end -}}

{{/* A map without the keys that are null, at any depth, as JSON. */}}
{{- define "slipway.withoutNulls" -}}
{{- $kept := dict -}}
{{- range $key, $value := . -}}
{{- if kindIs "map" $value -}}
{{- $_ := set $kept $key (include "slipway.withoutNulls" $value | fromJson) -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- $_ := set $kept $key $value -}}
{{- end -}}
{{- end -}}
{{- toJson $kept -}}
{{- end -}}

{{/* Whether ClickHouse runs inside observability; "true" or empty. */}}
{{- define "slipway.engineInside" -}}
{{- if not (or .Values.clickhouse.url .Values.clickhouse.existingSecret) -}}true{{- end -}}
{{- end -}}

{{- define "slipway.isDemo" -}}
{{- if eq .Values.profile "demo" -}}true{{- end -}}
{{- end -}}

{{/* Whether the demo's Postgres and NATS are made: only if nothing else is given. */}}
{{- define "slipway.demoPostgres" -}}
{{- $c := .Values.credentials -}}
{{- $secrets := pluck "secret"
  $c.catalogDatabaseUrl $c.deployerDatabaseUrl $c.observabilityDatabaseUrl -}}
{{- $isGiven := or $c.existingSecret (join "" $secrets) -}}
{{- if and (eq .Values.profile "demo") (not $isGiven) -}}true{{- end -}}
{{- end -}}
{{- define "slipway.demoNats" -}}
{{- $isGiven := or .Values.nats.url .Values.nats.urlSecret -}}
{{- if and (eq .Values.profile "demo") (not $isGiven) -}}true{{- end -}}
{{- end -}}
{{- define "slipway.demoIssuer" -}}
{{- if and (eq .Values.profile "demo") (not .Values.auth.issuers) -}}true{{- end -}}
{{- end -}}

{{/* The Secret of a credential, given as `credential`: its own, the common one, or the demo's. */}}
{{- define "slipway.credentialSecret" -}}
{{- $credentials := .root.Values.credentials -}}
{{- $demo := include "slipway.demoSecretName" .root -}}
{{- $own := (index $credentials .credential).secret -}}
{{- $own | default $credentials.existingSecret | default $demo -}}
{{- end -}}

{{/* A container's environment variable from a credential. */}}
{{- define "slipway.credentialEnv" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | default (include "slipway.credentialSecret" .) | quote }}
      key: {{ (index .root.Values.credentials .credential).key | quote }}
{{- end -}}

{{/*
The release's name in the whole cluster, which is the label slipway.dev/release of its agents'
namespaces. Without the hash, `x-slipway` in `team` and `slipway` in `team-x` would be the same.
*/}}
{{- define "slipway.releaseName" -}}
{{- $fullname := include "slipway.fullname" . -}}
{{- $name := printf "%s-%s" .Release.Namespace $fullname -}}
{{- if or (contains "-" $fullname) (gt (len $name) 63) -}}
{{- $hash := printf "%s/%s" .Release.Namespace $fullname | sha256sum | trunc 8 -}}
{{- printf "%s-%s" ($name | trunc 54 | trimSuffix "-") $hash -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* The name of the deployer's objects without a namespace. */}}
{{- define "slipway.clusterName" -}}
{{ include "slipway.releaseName" . }}-deployer
{{- end -}}

{{/* The ClusterRole with the deployer's rights in the namespaces of deployments. */}}
{{- define "slipway.workloadRole" -}}
{{ include "slipway.clusterName" . }}-workloads
{{- end -}}
