{{/* What the admission policies take from the deployer's variables, which `deployer.env` may
replace. A value that only the cluster knows (`valueFrom`) limits nothing. */}}
{{- define "slipway.policySettings" -}}
{{- $settings := include "slipway.settings" (dict "root" . "service" "deployer") | fromYaml -}}
{{- $pod := dict "root" . "service" "deployer" "settings" $settings "migrating" false -}}
{{- $env := dict -}}
{{- range (include "slipway.env" $pod | fromYamlArray) -}}
{{- $_ := set $env .name (default "*" (hasKey . "valueFrom" | ternary "*" .value)) -}}
{{- end -}}
{{- $level := default "restricted" $env.POD_SECURITY -}}
{{- $exceptions := list -}}
{{- $json := default "[]" $env.POD_SECURITY_EXCEPTIONS -}}
{{- if eq $json "*" -}}{{- $level = "*" -}}{{- $json = "[]" -}}{{- end -}}
{{- range (fromJsonArray $json) -}}
{{- if and (kindIs "map" .) (eq (default "" .level) "baseline") -}}
{{- /* The labels of other names end with a hash. */ -}}
{{- $isLabel := regexMatch "^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$" (default "" .agent) -}}
{{- $agent := $isLabel | ternary .agent "" -}}
{{- $exceptions = append $exceptions (dict "account" .account "agent" $agent) -}}
{{- end -}}
{{- end -}}
{{- $classes := print (default "" $env.STORAGE_CLASSES) "," (default "" $env.STORAGE_CLASS) -}}
{{- $storageClasses := list -}}
{{- range splitList "," $classes -}}
{{- $storageClasses = append $storageClasses (trim .) -}}
{{- end -}}
{{- $class := default "" $env.INGRESS_CLASS -}}
{{- dict
  "podSecurity" (eq $level "*" | ternary "baseline" $level)
  "exceptions" $exceptions
  "storageClasses" ($storageClasses | compact | uniq)
  "ingressClass" (eq $class "*" | ternary "" $class)
  | toYaml -}}
{{- end -}}

{{/* A value as a CEL expression of type dyn: values of CEL's lists and maps have one type. */}}
{{- define "slipway.cel" -}}
{{- if kindIs "map" . -}}
{{- $entries := list -}}
{{- range $key, $value := . -}}
{{- $entries = append $entries (printf "%s: %s" (toJson $key) (include "slipway.cel" $value)) -}}
{{- end -}}
dyn({ {{- join ", " $entries -}} })
{{- else if kindIs "slice" . -}}
{{- $items := list -}}
{{- range . -}}{{- $items = append $items (include "slipway.cel" .) -}}{{- end -}}
dyn([{{ join ", " $items }}])
{{- else -}}
dyn({{ toJson . }})
{{- end -}}
{{- end -}}
