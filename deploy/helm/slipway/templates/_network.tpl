{{/* Checks of what pods, proxies and agents reach. They take the root context. */}}

{{- define "slipway.checkNetwork" -}}
{{- include "slipway.checkFamilies" . -}}
{{- $values := .Values -}}
{{- if $values.ingress.enabled -}}
{{- if not $values.ingress.host -}}
{{- fail "\n\ningress.host is missing: set it to the host name of the REST API." -}}
{{- end -}}
{{- if not $values.trustedProxies -}}
{{- fail (print
  "\n\ntrustedProxies is empty, but the gateway is behind an Ingress: all anonymous callers "
  "would share one rate limit. Set it to the addresses of the ingress controller and no others, "
  "because a client that connects from them chooses its own address: those of its nodes, or a "
  "range of the pod network that only its pods have.") -}}
{{- end -}}
{{- end -}}
{{- if and $values.agents.ingress.domain (not $values.agents.ingress.peers) -}}
{{- fail (print
  "\n\nagents.ingress.peers is empty: the NetworkPolicies of agents would block the ingress "
  "controller. Set it to its pods, for example [{namespaceSelector: {matchLabels: "
  "{kubernetes.io/metadata.name: ingress-nginx}}}].") -}}
{{- end -}}
{{- if and $values.networkPolicy.egress.enabled (not $values.networkPolicy.egress.peers) -}}
{{- fail (print
  "\n\nnetworkPolicy.egress.peers is empty: the services couldn't reach Postgres, NATS, the "
  "issuers and the API server. Name them.") -}}
{{- end -}}
{{- end -}}

{{- define "slipway.checkFamilies" -}}
{{- $values := .Values -}}
{{- $families := default list $values.ipFamilies -}}
{{- $isDual := hasSuffix "DualStack" (default "" $values.ipFamilyPolicy) -}}
{{- if and (or $isDual (has "IPv6" $families)) (ne (default "" $values.listenAddress) "[::]") -}}
{{- fail (print
  "\n\nThe Services would have IPv6 addresses (ipFamilyPolicy, ipFamilies) at which no pod "
  "listens: set listenAddress to '[::]', which takes IPv4 as well.") -}}
{{- end -}}
{{- if and (gt (len $families) 1) (not $isDual) -}}
{{- fail (print
  "\n\nipFamilies names two families, but Services have one by default: set ipFamilyPolicy to "
  "PreferDualStack or RequireDualStack, or name one family.") -}}
{{- end -}}
{{- end -}}
