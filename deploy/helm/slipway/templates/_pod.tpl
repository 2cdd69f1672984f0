{{/* The pod template of a service; takes a dict with `root`, `service` and `settings`. */}}
{{- define "slipway.podTemplate" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $settings := .settings -}}
{{- $selector := include "slipway.selectorLabels" . -}}
metadata:
  labels:
    {{- include "slipway.podLabels" . | nindent 4 }}
    {{- with $settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- $annotations := dict "kubectl.kubernetes.io/default-container" $service }}
  {{- with include "slipway.secretChecksums" . }}
  {{- $_ := set $annotations "slipway.dev/secrets-checksum" . }}
  {{- end }}
  annotations:
    {{- merge (default dict $settings.podAnnotations) $annotations | toYaml | nindent 4 }}
spec:
  serviceAccountName: {{ include "slipway.name" . }}
  {{- include "slipway.podBasics" $root | nindent 2 }}
  terminationGracePeriodSeconds: {{ $settings.terminationGracePeriodSeconds }}
  {{- with $settings.priorityClassName }}
  priorityClassName: {{ . | quote }}
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
      {{- if not .labelSelector }}
      labelSelector:
        matchLabels:
          {{- $selector | nindent 10 }}
      {{- end }}
    {{- end }}
  {{- end }}
  {{- if and (ne $service "gateway") (eq $root.Values.migrations.mode "initContainer") }}
  initContainers:
    - name: migrate
      image: {{ include "slipway.image" (dict "root" $root "name" $service) | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [migrate]
      env:
        {{- include "slipway.env" (merge (dict "migrating" true) .) | nindent 8 }}
      securityContext:
        {{- include "slipway.containerSecurityContext" . | nindent 8 }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "slipway.volumeMounts" (merge (dict "migrating" true) .) | nindent 8 }}
  {{- end }}
  containers:
    - name: {{ $service }}
      image: {{ include "slipway.image" (dict "root" $root "name" $service) | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      ports:
        {{- include "slipway.containerPorts" . | nindent 8 }}
      env:
        {{- include "slipway.env" (merge (dict "migrating" false) .) | nindent 8 }}
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

{{/* What all pods have, those of the demo and the test too; takes the root context. */}}
{{- define "slipway.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* Where the pods of the demo and the test may run: as for services without settings. */}}
{{- define "slipway.placement" -}}
{{- with .Values.defaults.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.defaults.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
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
