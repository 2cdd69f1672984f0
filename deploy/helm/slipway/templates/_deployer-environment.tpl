{{/* Environment variables of the deployer; each takes a dict with `root` and `service`. */}}

{{- define "slipway.deployerEnv" -}}
{{- $root := .root -}}
{{- $agents := $root.Values.agents -}}
{{- $name := include "slipway.name" . -}}
- name: CATALOG_ADDRESS
  value: {{ include "slipway.address" (dict "root" $root "callee" "catalog" "port" 9120) }}
{{ include "slipway.serviceTokenEnv" . }}
- name: SERVICE_ACCOUNT_NAMESPACE
  value: {{ $root.Release.Namespace | quote }}
- name: SERVICE_ACCOUNT_NAME
  value: {{ $name }}
- name: RELEASE_NAME
  value: {{ include "slipway.releaseName" $root | quote }}
- name: WORKLOAD_CLUSTER_ROLE
  value: {{ include "slipway.workloadRole" $root }}
{{ include "slipway.credentialEnv" (dict
  "root" $root "credential" "secretNameKey" "variable" "SECRET_NAME_KEY") }}
- name: INGEST_URL
  value: http://{{ include "slipway.host" (dict "root" $root "service" "ingest") }}:4318
- name: NETWORK_INGEST_PEERS
  value: {{ include "slipway.ingestPeers" . | quote }}
{{ include "slipway.templatesEnv" . }}
- name: POD_SECURITY
  value: {{ $agents.podSecurity }}
{{- with $agents.storageClasses }}
- name: STORAGE_CLASSES
  value: {{ join "," . | quote }}
{{- end }}
{{- with $agents.ephemeralStorage }}
- name: POD_EPHEMERAL_STORAGE_REQUEST
  value: {{ .request | toString | quote }}
- name: POD_EPHEMERAL_STORAGE_LIMIT
  value: {{ .limit | toString | quote }}
- name: MODEL_EPHEMERAL_STORAGE_LIMIT
  value: {{ .modelLimit | toString | quote }}
{{- end }}
{{- with $agents.dnsPeers }}
- name: NETWORK_DNS_PEERS
  value: {{ toJson . | quote }}
{{- end }}
{{- with $agents.internalRanges }}
- name: NETWORK_INTERNAL_RANGES
  value: {{ join "," . | quote }}
{{- end }}
{{- with include "slipway.internalRegistries" $root }}
- name: INTERNAL_REGISTRIES
  value: {{ . | quote }}
{{- end }}
{{- if kindIs "slice" $agents.registryRealms }}
- name: REGISTRY_REALMS
  value: {{ $agents.registryRealms | join "," | default "none" | quote }}
{{- end }}
{{- if $agents.pullSecret }}
- name: PULL_SECRET_FILE
  value: /etc/slipway/pull-secret/.dockerconfigjson
{{- end }}
{{- if include "slipway.imagePolicy" $root }}
- name: IMAGE_POLICY_FILE
  value: /etc/slipway/image-policy/policy.yaml
{{- end }}
{{- with $agents.missingImages }}
- name: MISSING_IMAGES
  value: {{ . }}
{{- end }}
{{- if $agents.ingress.domain }}
- name: INGRESS_DOMAIN
  value: {{ $agents.ingress.domain | quote }}
- name: INGRESS_CLASS
  value: {{ $agents.ingress.className | quote }}
- name: INGRESS_ANNOTATIONS
  value: {{ default dict $agents.ingress.annotations | toJson | quote }}
- name: INGRESS_SCHEME
  value: {{ $agents.ingress.scheme }}
- name: INGRESS_PORT
  value: {{ $agents.ingress.port | toString | quote }}
- name: NETWORK_INGRESS_PEERS
  value: {{ toJson $agents.ingress.peers | quote }}
{{- if $agents.ingress.tlsSecret }}
- name: INGRESS_TLS_CERT_FILE
  value: /etc/slipway/agent-tls/tls.crt
- name: INGRESS_TLS_KEY_FILE
  value: /etc/slipway/agent-tls/tls.key
{{- end }}
{{- end }}
{{- end -}}

{{/* INTERNAL_REGISTRIES: operators often push agents' images to the registry of the platform. `helm
test` needs it as well. */}}
{{- define "slipway.internalRegistries" -}}
{{- $ofPlatform := regexFind "^[^/]+" .Values.image.registry | list | compact -}}
{{- concat $ofPlatform (default list .Values.agents.internalRegistries) | uniq | join "," -}}
{{- end -}}

{{/* The content of IMAGE_POLICY_FILE; empty without a policy. */}}
{{- define "slipway.imagePolicy" -}}
{{- $policy := .Values.agents.imagePolicy -}}
{{- $registries := list -}}
{{- range $policy.registries -}}
{{- $entry := dict "prefix" .prefix -}}
{{- if hasKey . "accounts" -}}{{- $_ := set $entry "accounts" .accounts -}}{{- end -}}
{{- if .plainHttp -}}{{- $_ := set $entry "plain_http" true -}}{{- end -}}
{{- with .pullSecret -}}
{{- $path := printf "/etc/slipway/%s/.dockerconfigjson" (include "slipway.imagePullVolume" .) -}}
{{- $_ := set $entry "pull_secret_file" $path -}}
{{- end -}}
{{- $registries = append $registries $entry -}}
{{- end -}}
{{- if or $registries (eq $policy.otherRegistries "refused") -}}
{{- dict "registries" $registries "other_registries" $policy.otherRegistries | toYaml -}}
{{- end -}}
{{- end -}}

{{/* The name of the volume of a Secret for image pulls. */}}
{{- define "slipway.imagePullVolume" -}}
{{- printf "image-pull-%s" (sha256sum . | trunc 10) -}}
{{- end -}}

{{/* NetworkPolicy peers that receive traces: the pods of observability. */}}
{{- define "slipway.ingestPeers" -}}
{{- $observability := dict "root" .root "service" "observability" -}}
{{- $namespace := dict "kubernetes.io/metadata.name" .root.Release.Namespace -}}
{{- $pods := include "slipway.selectorLabels" $observability | fromYaml -}}
{{- list (dict
  "namespaceSelector" (dict "matchLabels" $namespace)
  "podSelector" (dict "matchLabels" $pods)) | toJson -}}
{{- end -}}
