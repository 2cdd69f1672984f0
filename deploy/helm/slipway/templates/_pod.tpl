{{/* The pod template of a service; takes a dict with `root`, `service` and `settings`. */}}
{{- define "slipway.podTemplate" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $settings := .settings -}}
{{- $selector := include "slipway.selectorLabels" . -}}
{{- $hasStore := ne $service "gateway" -}}
metadata:
  labels:
    {{- include "slipway.podLabels" . | nindent 4 }}
    {{- with $settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: {{ $service }}
    {{- with include "slipway.secretChecksums" . }}
    slipway.dev/secrets-checksum: {{ . }}
    {{- end }}
    {{- with $settings.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "slipway.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $settings.terminationGracePeriodSeconds }}
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with $settings.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $settings.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.hostAliases }}
  hostAliases:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- range . }}
    - {{ toYaml . | nindent 6 | trim }}
      labelSelector:
        matchLabels:
          {{- $selector | nindent 10 }}
    {{- end }}
  {{- end }}
  securityContext:
    {{- include "slipway.podSecurityContext" . | nindent 4 }}
  {{- if and $hasStore (eq $root.Values.migrations.mode "initContainer") }}
  initContainers:
    - name: migrate
      image: {{ include "slipway.image" (dict "root" $root "name" $service) }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [migrate]
      env:
        {{- include "slipway.commonEnv" . | nindent 8 }}
        {{- include "slipway.storeEnv" (merge (dict "migrating" true) .) | nindent 8 }}
        {{- include (printf "slipway.%sEnv" $service) . | nindent 8 }}
        {{- with $settings.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      securityContext:
        {{- include "slipway.containerSecurityContext" . | nindent 8 }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "slipway.volumeMounts" . | nindent 8 }}
  {{- end }}
  containers:
    - name: {{ $service }}
      image: {{ include "slipway.image" (dict "root" $root "name" $service) }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      ports:
        {{- include "slipway.containerPorts" . | nindent 8 }}
      env:
        {{- include "slipway.commonEnv" . | nindent 8 }}
        {{- if $hasStore }}
        {{- include "slipway.storeEnv" (merge (dict "migrating" false) .) | nindent 8 }}
        {{- end }}
        {{- include (printf "slipway.%sEnv" $service) . | nindent 8 }}
        {{- with $settings.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      # The process has started: until then the liveness probe waits.
      startupProbe:
        httpGet: { path: /livez, port: operations }
        periodSeconds: 2
        failureThreshold: 60
      # The process answers. Stores that are away don't restart it.
      livenessProbe:
        httpGet: { path: /livez, port: operations }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # It can serve: its stores are reachable and it isn't stopping.
      readinessProbe:
        httpGet: { path: /readyz, port: operations }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      lifecycle:
        preStop:
          sleep:
            seconds: {{ $settings.preStopSleepSeconds }}
      securityContext:
        {{- include "slipway.containerSecurityContext" . | nindent 8 }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "slipway.volumeMounts" . | nindent 8 }}
  volumes:
    {{- include "slipway.volumes" . | nindent 4 }}
{{- end -}}

{{- define "slipway.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "slipway.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "slipway.containerPorts" -}}
- name: operations
  containerPort: 9110
{{- if eq .service "gateway" }}
- name: http
  containerPort: 8080
{{- else }}
- name: grpc
  containerPort: 9100
- name: connect
  containerPort: 9120
{{- end }}
{{- if eq .service "observability" }}
- name: otlp-http
  containerPort: 4318
- name: otlp-grpc
  containerPort: 4317
{{- end }}
{{- end -}}
