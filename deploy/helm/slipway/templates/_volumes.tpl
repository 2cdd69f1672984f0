{{/* Volumes of the pods; each takes a dict with `root`, `service` and `settings`. */}}

{{/* Mounted Secrets as a list of {name, secret, items}, as YAML. */}}
{{- define "slipway.mountedSecrets" -}}
{{- $values := .root.Values -}}
{{- $hasStore := ne .service "gateway" -}}
{{- if and $hasStore $values.postgres.tls.existingSecret }}
- name: postgres
  secret: {{ $values.postgres.tls.existingSecret | quote }}
  items: [{ key: {{ $values.postgres.tls.caKey | quote }}, path: ca.crt }]
{{- end }}
{{- if $values.nats.existingSecret }}
- name: nats
  secret: {{ $values.nats.existingSecret | quote }}
  items: [{ key: {{ $values.nats.credentialsKey | quote }}, path: nats.creds }]
{{- end }}
{{- if $values.nats.tls.existingSecret }}
- name: nats-tls
  secret: {{ $values.nats.tls.existingSecret | quote }}
  items: [{ key: {{ $values.nats.tls.caKey | quote }}, path: ca.crt }]
{{- end }}
{{- if $values.rpc.tls.existingSecret }}
- name: rpc-tls
  secret: {{ $values.rpc.tls.existingSecret | quote }}
{{- if eq .service "gateway" }}
  items: [{ key: ca.crt, path: ca.crt }]
{{- end }}
{{- end }}
{{- if and (eq .service "observability") $values.clickhouse.tls.existingSecret }}
- name: clickhouse-tls
  secret: {{ $values.clickhouse.tls.existingSecret | quote }}
  items: [{ key: {{ $values.clickhouse.tls.caKey | quote }}, path: ca.crt }]
{{- end }}
{{- if and (eq .service "deployer") $values.agents.ingress.tlsSecret }}
- name: agent-tls
  secret: {{ $values.agents.ingress.tlsSecret | quote }}
{{- end }}
{{- if and (eq .service "deployer") $values.agents.pullSecret }}
- name: pull-secret
  secret: {{ $values.agents.pullSecret | quote }}
{{- end }}
{{- if eq .service "deployer" }}
{{- $pullSecrets := list }}
{{- range $values.agents.imagePolicy.registries }}
{{- $pullSecrets = append $pullSecrets (default "" .pullSecret) }}
{{- end }}
{{- range $pullSecrets | compact | uniq }}
- name: {{ include "slipway.imagePullVolume" . }}
  secret: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
What a pod reads from Secrets, as a JSON list of {name, key, optional}; without `key`, the whole
Secret.
*/}}
{{- define "slipway.secretKeys" -}}
{{- $keys := list -}}
{{- range (include "slipway.mountedSecrets" . | fromYamlArray) -}}
{{- $secret := .secret -}}
{{- range (default (list dict) .items) -}}
{{- $keys = append $keys (merge (dict "name" $secret) (pick . "key")) -}}
{{- end -}}
{{- end -}}
{{- $isMigrated := and (ne .service "gateway") (eq .root.Values.migrations.mode "initContainer") -}}
{{- range $migrating := $isMigrated | ternary (list false true) (list false) -}}
{{- range (include "slipway.env" (merge (dict "migrating" $migrating) $) | fromYamlArray) -}}
{{- with dig "valueFrom" "secretKeyRef" dict . -}}{{- $keys = append $keys . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $keys | uniq | toJson -}}
{{- end -}}

{{/*
A checksum of the mounted certificates and of the credentials, so that an upgrade of the release
after a change restarts the pods. It is keyed with the secret name key, because a reader of the
annotation could otherwise try out passwords. Empty where the cluster can't be read (helm template).
*/}}
{{- define "slipway.secretChecksums" -}}
{{- $root := .root -}}
{{- $found := list -}}
{{- range (include "slipway.secretKeys" . | fromJsonArray) -}}
{{- $data := include "slipway.secretData" (dict "root" $root "name" .name) | fromJson -}}
{{- if and $data .key -}}
{{- $found = append $found (get $data .key) -}}
{{- else if $data -}}
{{- $found = append $found (toJson $data) -}}
{{- end -}}
{{- end -}}
{{- $keySecret := include "slipway.credentialSecret" (dict
  "root" $root "credential" "secretNameKey") -}}
{{- $data := include "slipway.secretData" (dict "root" $root "name" $keySecret) | fromJson -}}
{{- $key := get $data $root.Values.credentials.secretNameKey.key -}}
{{- if and $found $key -}}
{{- prepend $found $key | join "," | sha256sum | trunc 16 -}}
{{- end -}}
{{- end -}}

{{/* Whether a service calls others with its own token; "true" or empty. */}}
{{- define "slipway.isCaller" -}}
{{- $isGateway := and (eq .service "gateway") (include "slipway.signInClient" .root) -}}
{{- if or $isGateway (has .service (list "deployer" "observability")) -}}true{{- end -}}
{{- end -}}

{{- define "slipway.volumes" -}}
{{- $root := .root -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- range (include "slipway.mountedSecrets" . | fromYamlArray) }}
- name: {{ .name }}
  secret:
    secretName: {{ .secret | quote }}
    defaultMode: 0440
    {{- with .items }}
    items:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}
{{- if and (eq .service "deployer") (include "slipway.imagePolicy" $root) }}
- name: image-policy
  configMap:
    name: {{ include "slipway.fullname" $root }}-image-policy
{{- end }}
{{- if ne .service "gateway" }}
# For the API server: to read the keys of the services' tokens, and for the deployer's work.
- name: api-server
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken: { path: token, expirationSeconds: 3607 }
      - configMap:
          name: kube-root-ca.crt
          items: [{ key: ca.crt, path: ca.crt }]
      - downwardAPI:
          items: [{ path: namespace, fieldRef: { fieldPath: metadata.namespace } }]
{{- end }}
{{- if include "slipway.isCaller" . }}
# For the other services.
- name: identity
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3607
          audience: {{ $root.Values.auth.serviceAudience | quote }}
{{- end }}
{{- if ne .service "gateway" }}
# Followed while the service runs, so its content has no checksum.
- name: account-limits
  configMap:
    name: {{ include "slipway.name" (dict "root" $root "service" "account-limits") }}
{{- end }}
{{- if and (eq .service "observability") $root.Values.modelPrices }}
# Followed as well.
- name: model-prices
  configMap:
    name: {{ include "slipway.fullname" $root }}-model-prices
{{- end }}
{{- with .settings.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The mounts of a container; `migrating` takes those of the stores only. */}}
{{- define "slipway.volumeMounts" -}}
{{- $migrating := .migrating -}}
- name: tmp
  mountPath: /tmp
{{- range (include "slipway.mountedSecrets" . | fromYamlArray) }}
{{- if or (not $migrating) (has .name (list "postgres" "clickhouse-tls")) }}
- name: {{ .name }}
  mountPath: /etc/slipway/{{ .name }}
  readOnly: true
{{- end }}
{{- end }}
{{- if and (not $migrating) (eq .service "deployer") (include "slipway.imagePolicy" .root) }}
- name: image-policy
  mountPath: /etc/slipway/image-policy
  readOnly: true
{{- end }}
{{- if and (not $migrating) (eq .service "observability") .root.Values.modelPrices }}
- name: model-prices
  mountPath: /etc/slipway/model-prices
  readOnly: true
{{- end }}
{{- if and (not $migrating) (ne .service "gateway") }}
- name: account-limits
  mountPath: /etc/slipway/account-limits
  readOnly: true
- name: api-server
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end }}
{{- if and (not $migrating) (include "slipway.isCaller" .) }}
- name: identity
  mountPath: /var/run/secrets/slipway
  readOnly: true
{{- end }}
{{- if and (eq .service "observability") (include "slipway.engineInside" .root) }}
- name: clickhouse
  mountPath: /var/lib/slipway
{{- end }}
{{- with .settings.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}
