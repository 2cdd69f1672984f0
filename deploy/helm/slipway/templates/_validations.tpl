{{/* The checks of validations.yaml. They take the root context, or a dict with `settings`. */}}

{{- define "slipway.checkNames" -}}
{{- $name := include "slipway.fullname" . -}}
{{- if not (regexMatch "^[a-z]" $name) -}}
{{- $message := print
  "\n\nThe names of Services must begin with a letter, and they would begin with %q: set "
  "fullnameOverride, for example to slipway." -}}
{{- fail (printf $message $name) -}}
{{- end -}}
{{- end -}}

{{/*
The chart reads no `global` values, so one that is set here was meant for a key of the chart. As a
dependency, the chart gets those of the parent.
*/}}
{{- define "slipway.checkGlobal" -}}
{{- if and .Chart.IsRoot .Values.global -}}
{{- $message := print
  "\n\nglobal.%s: the chart has no global values, so it would have no effect. Remove it, and set "
  "the value of the chart, for example image.registry instead of global.imageRegistry." -}}
{{- fail (printf $message (keys .Values.global | sortAlpha | first)) -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkImages" -}}
{{- if not (or .Values.image.registry (include "slipway.isDemo" .)) -}}
{{- fail (print
  "\n\nimage.registry is missing: no public registry has the images. Push them to your own with "
  "`./dev images push REGISTRY`, and set image.registry to it.") -}}
{{- end -}}
{{- end -}}

{{/* Labels that selectors use, or that would appear twice. */}}
{{- define "slipway.checkLabels" -}}
{{- $own := include "slipway.labels" . | fromYaml | keys -}}
{{- range $block := list "labels" "podLabels" -}}
{{- range $label, $_ := get $.settings $block -}}
{{- if has $label $own -}}
{{- $message := "\n\n%s.%s sets %s, which the chart sets itself: remove it." -}}
{{- fail (printf $message $.service $block $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The admission policies apply to the ServiceAccount that the chart makes, and to no other. */}}
{{- define "slipway.checkIdentity" -}}
{{- $fixed := list "RELEASE_NAME" "SERVICE_ACCOUNT_NAMESPACE" "SERVICE_ACCOUNT_NAME"
  "WORKLOAD_CLUSTER_ROLE" -}}
{{- range (default list .settings.env) -}}
{{- if and (eq $.service "deployer") (has .name $fixed) -}}
{{- $message := print
  "\n\nThe deployer's env sets %s, but the deployer's permissions and their admission policies use "
  "the name that the chart derives from the release: remove it, and set fullnameOverride for "
  "other names." -}}
{{- fail (printf $message .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkCredentials" -}}
{{- $credentials := .Values.credentials -}}
{{- $secret := printf "%s-credentials" (include "slipway.fullname" .) -}}
{{- $options := list -}}
{{- $missing := list -}}
{{- $names := list
  "catalogDatabaseUrl" "deployerDatabaseUrl" "observabilityDatabaseUrl"
  "secretNameKey" "idempotencyKeySecret" -}}
{{- if include "slipway.signInClient" . -}}{{- $names = append $names "sessionKey" -}}{{- end -}}
{{- range $name := $names -}}
{{- $own := index $credentials $name -}}
{{- $isUrl := hasSuffix "Url" $name -}}
{{- /* The demo's keys derive from the release's name: they are for its Postgres only. */ -}}
{{- $byDemo := include "slipway.demoPostgres" $ -}}
{{- if not (or $own.secret $credentials.existingSecret $byDemo) -}}
{{- $missing = append $missing (printf "credentials.%s.secret" $name) -}}
{{- $url := printf "'postgres://USER:PASSWORD@HOST/%s'" (trimSuffix "DatabaseUrl" $name) -}}
{{- $value := $isUrl | ternary $url "\"$(openssl rand -hex 32)\"" -}}
{{- $options = append $options (printf "  --from-literal=%s=%s" $own.key $value) -}}
{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- list
  (printf "\n\nNo Secret is named for:\n  %s" (join "\n  " $missing))
  "Make one and name it:\n"
  (printf "kubectl create secret generic %s -n %s \\" $secret .Release.Namespace)
  (join " \\\n" $options)
  (printf "helm … --set credentials.existingSecret=%s\n" $secret)
  | join "\n" | fail -}}
{{- end -}}
{{- end -}}

{{/* The keys that an existing Secret must have; one that is made later isn't checked. */}}
{{- define "slipway.checkSecretKeys" -}}
{{- range (include "slipway.secretKeys" . | fromJsonArray) -}}
{{- $found := lookup "v1" "Secret" $.root.Release.Namespace .name -}}
{{- $data := include "slipway.secretData" (dict "root" $.root "name" .name) | fromJson -}}
{{- $isNeeded := and $found .key (not .optional) -}}
{{- if and $isNeeded (not (hasKey $data .key)) -}}
{{- $keys := keys $data | sortAlpha | join ", " | default "none" -}}
{{- $message := "\n\nSecret %s in %s lacks the key %s, which %s needs. Its keys: %s." -}}
{{- fail (printf $message .name $.root.Release.Namespace .key $.service $keys) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkNats" -}}
{{- $nats := .Values.nats -}}
{{- if not (or $nats.url $nats.urlSecret (include "slipway.demoNats" .)) -}}
{{- fail (print
  "\n\nnats.url is missing: set it to the URL of your NATS servers, for example "
  "nats://nats.nats.svc:4222. They need JetStream. A URL with a password belongs in a Secret: set "
  "nats.urlSecret.") -}}
{{- end -}}
{{- if and (contains "tls://" $nats.url) (contains "nats://" $nats.url) -}}
{{- fail (print
  "\n\nnats.url has servers with and without TLS: use tls:// or nats:// for all of them.") -}}
{{- end -}}
{{- if and $nats.tls.existingSecret $nats.url (not (contains "tls://" $nats.url)) -}}
{{- fail (print
  "\n\nnats.tls.existingSecret is set, but nats.url doesn't use TLS: "
  "change nats:// in it to tls://.") -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkClickHouse" -}}
{{- $clickhouse := .Values.clickhouse -}}
{{- if and $clickhouse.tls.existingSecret (hasPrefix "http://" $clickhouse.url) -}}
{{- fail (print
  "\n\nclickhouse.tls.existingSecret is set, but clickhouse.url doesn't use TLS: "
  "change http:// in it to https://.") -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkSignIn" -}}
{{- if hasPrefix "https://kubernetes.default" .Values.auth.serviceAudience -}}
{{- fail (print
  "\n\nauth.serviceAudience is the audience of the API server: a service that is called could use "
  "the caller's token there. Set another one, for example slipway.") -}}
{{- end -}}
{{- if and (not .Values.auth.issuers) (not (include "slipway.demoIssuer" .)) -}}
{{- list
  "\n\nauth.issuers is empty, so no one could sign in. Name the issuer of your people's access"
  "tokens:\n\nauth:\n  issuers:\n    - issuer: https://login.example.com\n"
  "     audience: slipway\n"
  | join " " | fail -}}
{{- end -}}
{{- if and (include "slipway.demoIssuer" .) (not .Values.demo.issuer) -}}
{{- fail (print
  "\n\ndemo.issuer is missing: set it to a URL of the development identity provider that is "
  "valid inside and outside of the cluster, for example http://login.slipway.localhost:8088, "
  "or name your own issuer in auth.issuers.") -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkScaling" -}}
{{- $service := .service -}}
{{- $scaling := .settings.autoscaling -}}
{{- $isScaled := or (gt (int .settings.replicas) 1) $scaling.enabled -}}
{{- $isSingle := and (eq $service "observability") (include "slipway.engineInside" .root) -}}
{{- if and $isSingle $isScaled -}}
{{- fail (print
  "\n\nobservability can't have more than one pod with ClickHouse inside its process: name a "
  "ClickHouse server in clickhouse.url or clickhouse.existingSecret, or set "
  "observability.replicas to 1 and observability.autoscaling.enabled to false.") -}}
{{- end -}}
{{- if $scaling.enabled -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- $message := "\n\n%s.autoscaling.minReplicas (%v) is more than maxReplicas (%v): change one." -}}
{{- fail (printf $message $service $scaling.minReplicas $scaling.maxReplicas) -}}
{{- end -}}
{{- if not (dig "requests" "cpu" "" (default dict .settings.resources)) -}}
{{- $message := print
  "\n\n%s.autoscaling needs %s.resources.requests.cpu: the autoscaler compares the CPU use "
  "with it." -}}
{{- fail (printf $message $service $service) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkEphemeralStorage" -}}
{{- $storage := default dict .Values.agents.ephemeralStorage -}}
{{- $request := include "slipway.bytes" (default 0 $storage.request) | float64 -}}
{{- range $name := list "limit" "modelLimit" -}}
{{- if gt $request (include "slipway.bytes" (default 0 (get $storage $name)) | float64) -}}
{{- $message := print
  "\n\nagents.ephemeralStorage.request (%v) is more than agents.ephemeralStorage.%s (%v): "
  "change one." -}}
{{- fail (printf $message $storage.request $name (get $storage $name)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A quantity in bytes; empty for a unit that memory doesn't have. */}}
{{- define "slipway.bytes" -}}
{{- $text := kindIs "string" . | ternary . (int64 . | toString) -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" $text -}}
{{- $powers := dict "" 0 "k" 1 "M" 2 "G" 3 "T" 4 "P" 5 -}}
{{- $unit := trimPrefix $number $text -}}
{{- $power := trimSuffix "i" $unit | replace "K" "k" -}}
{{- if and $number (hasKey $powers $power) -}}
{{- $bytes := float64 $number -}}
{{- $factor := hasSuffix "i" $unit | ternary 1024 1000 -}}
{{- range until (get $powers $power) -}}{{- $bytes = mulf $bytes $factor -}}{{- end -}}
{{- int64 (minf $bytes 9e18) -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkMemory" -}}
{{- $limit := dig "limits" "memory" "" (default dict .settings.resources) -}}
{{- $bytes := include "slipway.bytes" $limit -}}
{{- $engine := int64 .root.Values.clickhouse.maxMemoryBytes -}}
{{- $needed := add $engine 2147483648 -}}
{{- $isInside := and (eq .service "observability") (include "slipway.engineInside" .root) -}}
{{- if and $isInside $bytes (lt (int64 $bytes) $needed) -}}
{{- $message := print
  "\n\nobservability.resources.limits.memory is %v, too little for the engine inside, which may "
  "use clickhouse.maxMemoryBytes (%d): set the limit to at least %d bytes, or maxMemoryBytes to "
  "2 GiB less than the limit." -}}
{{- fail (printf $message $limit $engine $needed) -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkShutdown" -}}
{{- $needed := add 30 (int .settings.preStopSleepSeconds) -}}
{{- $given := .settings.terminationGracePeriodSeconds -}}
{{- if lt (int $given) (int $needed) -}}
{{- $message := print
  "\n\n%s.terminationGracePeriodSeconds is %v, and requests would be cut off: a pod waits "
  "preStopSleepSeconds (%v) and then ends within 30 s, so set it to at least %v." -}}
{{- fail (printf $message .service $given .settings.preStopSleepSeconds $needed) -}}
{{- end -}}
{{- end -}}
