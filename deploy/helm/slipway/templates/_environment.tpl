{{/* Environment variables of the services. Each takes a dict with `root` and `service`. */}}

{{/* host:port of a service's listener, for `callee` and `port`. */}}
{{- define "slipway.address" -}}
{{ include "slipway.host" (dict "root" .root "service" .callee) }}:{{ .port }}
{{- end -}}

{{/* Where a process listens, for `root` and `port`. Reused values may have no address. */}}
{{- define "slipway.listener" -}}
{{ .root.Values.listenAddress | default "0.0.0.0" }}:{{ .port }}
{{- end -}}

{{/* AUTH_ISSUERS: the issuers of people, and for services the API server. */}}
{{- define "slipway.issuers" -}}
{{- $root := .root -}}
{{- $issuers := $root.Values.auth.issuers | default list -}}
{{- if include "slipway.demoIssuer" $root -}}
{{- $issuers = list (dict
  "issuer" $root.Values.demo.issuer
  "audience" "urn:slipway:api"
  "realm" "demo"
  "allow_http" true
  "login" (dict "client_id" "slipway-cli")) -}}
{{- end -}}
{{- if ne .service "gateway" -}}
{{- $names := dict -}}
{{- $callers := list "deployer" "observability" -}}
{{- if include "slipway.signInClient" $root -}}
{{- $callers = append $callers "gateway" -}}
{{- end -}}
{{- range $callers -}}
{{- $account := include "slipway.name" (dict "root" $root "service" .) -}}
{{- $_ := set $names (printf "system:serviceaccount:%s:%s" $root.Release.Namespace $account) . -}}
{{- end -}}
{{- $issuers = append $issuers (dict
  "kind" "service"
  "kubernetes" true
  "audience" $root.Values.auth.serviceAudience
  "services" $names) -}}
{{- end -}}
{{- $issuers | toJson -}}
{{- end -}}

{{- define "slipway.natsUrl" -}}
{{- if include "slipway.demoNats" . -}}
nats://{{ include "slipway.host" (dict "root" . "service" "nats") }}:4222
{{- else -}}
{{ .Values.nats.url }}
{{- end -}}
{{- end -}}

{{/* The variables of a container. Those in `env` of the settings replace the chart's. */}}
{{- define "slipway.env" -}}
{{- $own := default list .settings.env -}}
{{- $replaced := list -}}
{{- range $own -}}{{- $replaced = append $replaced .name -}}{{- end -}}
{{- $kept := list -}}
{{- range (include "slipway.chartEnv" . | fromYamlArray) -}}
{{- if not (has .name $replaced) -}}{{- $kept = append $kept . -}}{{- end -}}
{{- end -}}
{{- concat $kept $own | toYaml -}}
{{- end -}}

{{/* `migrate` reads the variables of the stores only. */}}
{{- define "slipway.chartEnv" -}}
{{- if .migrating -}}
{{ include "slipway.storeEnv" . }}
{{- else -}}
{{ include "slipway.commonEnv" . }}
{{- if ne .service "gateway" }}
{{ include "slipway.storeEnv" . }}
{{- end }}
{{ include (printf "slipway.%sEnv" .service) . }}
{{- end -}}
{{- end -}}

{{/* Variables of every service. */}}
{{- define "slipway.commonEnv" -}}
{{- $root := .root -}}
- name: LOG_LEVEL
  value: {{ .settings.logLevel | quote }}
- name: OPS_ADDRESS
  value: {{ include "slipway.listener" (dict "root" $root "port" 9110) | quote }}
- name: AUTH_ISSUERS
  value: {{ include "slipway.issuers" . | quote }}
- name: NATS_URL
{{- if $root.Values.nats.urlSecret }}
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.nats.urlSecret | quote }}
      key: {{ $root.Values.nats.urlKey | quote }}
{{- else }}
  value: {{ include "slipway.natsUrl" $root | quote }}
{{- end }}
- name: NATS_STREAM_REPLICAS
  value: {{ $root.Values.nats.streamReplicas | int64 | quote }}
- name: NATS_STREAM_MAX_BYTES
  value: {{ $root.Values.nats.streamMaxBytes | int64 | quote }}
{{- if $root.Values.nats.existingSecret }}
- name: NATS_CREDENTIALS_FILE
  value: /etc/slipway/nats/nats.creds
{{- end }}
{{- if $root.Values.nats.tls.existingSecret }}
- name: NATS_CA_FILE
  value: /etc/slipway/nats-tls/ca.crt
{{- end }}
{{- if $root.Values.rpc.tls.existingSecret }}
{{- if ne .service "catalog" }}
- name: RPC_TLS_CA_FILE
  value: /etc/slipway/rpc-tls/ca.crt
{{- end }}
{{- if ne .service "gateway" }}
- name: RPC_TLS_CERT_FILE
  value: /etc/slipway/rpc-tls/tls.crt
- name: RPC_TLS_KEY_FILE
  value: /etc/slipway/rpc-tls/tls.key
{{- end }}
{{- end }}
{{- if ne .service "gateway" }}
- name: GRPC_ADDRESS
  value: {{ include "slipway.listener" (dict "root" .root "port" 9100) | quote }}
- name: CONNECT_ADDRESS
  value: {{ include "slipway.listener" (dict "root" .root "port" 9120) | quote }}
{{- if $root.Values.rpc.reflection }}
- name: GRPC_REFLECTION
  value: 'true'
{{- end }}
- name: ACCOUNT_LIMITS_FILE
  value: /etc/slipway/account-limits/limits.yaml
{{- end }}
{{- if and (eq .service "observability") $root.Values.modelPrices }}
- name: MODEL_PRICES_FILE
  value: /etc/slipway/model-prices/prices.yaml
{{- end }}
{{- end -}}

{{/* Variables of `migrate` and the service; `migrating` takes the credentials of `migrate`. */}}
{{- define "slipway.storeEnv" -}}
{{- $secret := .migrating | ternary .root.Values.migrations.existingSecret "" -}}
{{- $credential := printf "%sDatabaseUrl" .service -}}
{{ include "slipway.credentialEnv" (dict
  "root" .root "credential" $credential "variable" "DATABASE_URL" "secret" $secret) }}
{{- if eq .service "observability" }}
- name: TRACE_RETENTION_DAYS
  value: {{ .root.Values.clickhouse.retentionDays | int64 | quote }}
{{- if include "slipway.engineInside" .root }}
- name: CLICKHOUSE_DATA_DIR
  value: /var/lib/slipway/clickhouse
- name: CLICKHOUSE_MAX_MEMORY_BYTES
  value: {{ .root.Values.clickhouse.maxMemoryBytes | int64 | quote }}
{{- else }}
- name: CLICKHOUSE_URL
{{- $urlSecret := $secret | default .root.Values.clickhouse.existingSecret }}
{{- if $urlSecret }}
  valueFrom:
    secretKeyRef:
      name: {{ $urlSecret | quote }}
      key: {{ .root.Values.clickhouse.key | quote }}
{{- else }}
  value: {{ .root.Values.clickhouse.url | quote }}
{{- end }}
{{- if .root.Values.clickhouse.tls.existingSecret }}
- name: CLICKHOUSE_CA_FILE
  value: /etc/slipway/clickhouse-tls/ca.crt
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "slipway.serviceTokenEnv" -}}
- name: SERVICE_TOKEN_FILE
  value: /var/run/secrets/slipway/token
{{- end -}}

{{- define "slipway.catalogEnv" -}}
{{ include "slipway.templatesEnv" . }}
{{- end -}}

{{/* The catalog and the deployer must have the same values: both make deployment templates. */}}
{{- define "slipway.templatesEnv" -}}
- name: MESSAGING_IMAGE
  value: {{ include "slipway.image" (dict "root" .root "name" "web-adapter") | quote }}
- name: MESSAGING_ADAPTERS
  value: {{ join "," .root.Values.agents.messagingAdapters | quote }}
{{- with .root.Values.agents.storageClassName }}
- name: STORAGE_CLASS
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.agents.providerOverrides }}
- name: PROVIDER_OVERRIDES
  value: {{ toJson . | quote }}
{{- end }}
{{- end -}}

{{- define "slipway.gatewayEnv" -}}
- name: HTTP_ADDRESS
  value: {{ include "slipway.listener" (dict "root" .root "port" 8080) | quote }}
- name: CATALOG_ADDRESS
  value: {{ include "slipway.address" (dict "root" .root "callee" "catalog" "port" 9120) }}
- name: DEPLOYER_ADDRESS
  value: {{ include "slipway.address" (dict "root" .root "callee" "deployer" "port" 9100) }}
- name: OBSERVABILITY_ADDRESS
  value: {{ include "slipway.address" (dict "root" .root "callee" "observability" "port" 9100) }}
{{ include "slipway.credentialEnv" (dict
  "root" .root "credential" "idempotencyKeySecret" "variable" "IDEMPOTENCY_KEY_SECRET") }}
- name: TRUSTED_PROXIES
  value: {{ join "," .root.Values.trustedProxies | quote }}
{{- with .root.Values.publicUrl }}
- name: PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.agents.ingress.domain }}
- name: INGRESS_DOMAIN
  value: {{ . | quote }}
{{- end }}
{{- if .root.Values.agents.ingress.shareSite }}
- name: INGRESS_SHARES_SITE
  value: 'on'
{{- end }}
{{- if include "slipway.signInClient" .root }}
{{ include "slipway.signInEnv" . }}
{{- end }}
{{- if not .root.Values.console }}
- name: CONSOLE
  value: "off"
{{- end }}
- name: CORS_ORIGINS
  value: {{ join "," .root.Values.corsOrigins | quote }}
{{- end -}}

{{- define "slipway.observabilityEnv" -}}
- name: CATALOG_ADDRESS
  value: {{ include "slipway.address" (dict "root" .root "callee" "catalog" "port" 9120) }}
- name: DEPLOYER_ADDRESS
  value: {{ include "slipway.address" (dict "root" .root "callee" "deployer" "port" 9100) }}
{{ include "slipway.serviceTokenEnv" . }}
- name: OTLP_ADDRESSES
  value: {{ include "slipway.listener" (dict "root" .root "port" 4318) | quote }}
- name: OTLP_GRPC_ADDRESSES
  value: {{ include "slipway.listener" (dict "root" .root "port" 4317) | quote }}
{{- end -}}
