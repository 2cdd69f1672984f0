package main

import (
	"net"
	"slices"

	v1 "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	networkinglisters "k8s.io/client-go/listers/networking/v1"
)

// rules evaluates NetworkPolicies. An expression that it can't read matches nothing.
type rules struct {
	policies   networkinglisters.NetworkPolicyLister
	namespaces corelisters.NamespaceLister
}

// newRules must be called before the factory starts.
func newRules(factory informers.SharedInformerFactory) rules {
	policies := factory.Networking().V1().NetworkPolicies()
	namespaces := factory.Core().V1().Namespaces()
	policies.Informer()
	namespaces.Informer()
	return rules{policies.Lister(), namespaces.Lister()}
}

// rule is what rules of both directions have in common.
type rule struct {
	peers []networking.NetworkPolicyPeer
	ports []networking.NetworkPolicyPort
}

// refusal says which direction doesn't allow a connection; empty if both do. A pod reaches itself.
func (r rules) refusal(c connection, from, to *v1.Pod) string {
	switch {
	case c.from.Equal(c.to):
		return ""
	case !r.allows(networking.PolicyTypeEgress, from, to, c.to, to, c):
		return "no egress rule of " + from.Namespace + "/" + from.Name + " allows it"
	case !r.allows(networking.PolicyTypeIngress, to, from, c.from, to, c):
		return "no ingress rule of " + to.Namespace + "/" + to.Name + " allows it"
	}
	return ""
}

// allows reports whether the policies of the subject allow a connection with the other side, whose
// pod is nil outside of the cluster. server is the pod that is connected to.
func (r rules) allows(
	direction networking.PolicyType, subject, other *v1.Pod, address net.IP,
	server *v1.Pod, c connection,
) bool {
	if subject == nil {
		return true
	}
	policies, _ := r.policies.NetworkPolicies(subject.Namespace).List(labels.Everything())
	isolated := false
	for _, policy := range policies {
		if !slices.Contains(policy.Spec.PolicyTypes, direction) ||
			!matches(&policy.Spec.PodSelector, subject.Labels) {
			continue
		}
		isolated = true
		for _, each := range rulesOf(policy, direction) {
			if hasPort(each.ports, server, c) && r.hasPeer(each.peers, policy.Namespace, other, address) {
				return true
			}
		}
	}
	return !isolated
}

func rulesOf(policy *networking.NetworkPolicy, direction networking.PolicyType) []rule {
	found := []rule{}
	if direction == networking.PolicyTypeEgress {
		for _, each := range policy.Spec.Egress {
			found = append(found, rule{each.To, each.Ports})
		}
		return found
	}
	for _, each := range policy.Spec.Ingress {
		found = append(found, rule{each.From, each.Ports})
	}
	return found
}

func (r rules) hasPeer(
	peers []networking.NetworkPolicyPeer, namespace string, pod *v1.Pod, address net.IP,
) bool {
	return len(peers) == 0 || slices.ContainsFunc(peers, func(peer networking.NetworkPolicyPeer) bool {
		if peer.IPBlock != nil {
			return contains(peer.IPBlock.CIDR, address) &&
				!slices.ContainsFunc(peer.IPBlock.Except, func(except string) bool {
					return contains(except, address)
				})
		}
		if pod == nil || peer.PodSelector != nil && !matches(peer.PodSelector, pod.Labels) {
			return false
		}
		if peer.NamespaceSelector == nil {
			return pod.Namespace == namespace
		}
		of, err := r.namespaces.Get(pod.Namespace)
		return err == nil && matches(peer.NamespaceSelector, of.Labels)
	})
}

func hasPort(ports []networking.NetworkPolicyPort, server *v1.Pod, c connection) bool {
	return len(ports) == 0 || slices.ContainsFunc(ports, func(port networking.NetworkPolicyPort) bool {
		switch {
		case c.protocol == "" || port.Protocol != nil && *port.Protocol != c.protocol ||
			port.Protocol == nil && c.protocol != v1.ProtocolTCP:
			return false
		case port.Port == nil:
			return true
		case port.Port.StrVal != "":
			return server != nil && hasNamedPort(server, port.Port.StrVal, c)
		case port.EndPort != nil:
			return port.Port.IntVal <= c.port && c.port <= *port.EndPort
		}
		return port.Port.IntVal == c.port
	})
}

func hasNamedPort(pod *v1.Pod, name string, c connection) bool {
	// Init containers may be sidecars, which keep running.
	return slices.ContainsFunc(slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers),
		func(container v1.Container) bool {
			return slices.ContainsFunc(container.Ports, func(port v1.ContainerPort) bool {
				return port.Name == name && port.ContainerPort == c.port && port.Protocol == c.protocol
			})
		})
}

func contains(cidr string, address net.IP) bool {
	_, network, err := net.ParseCIDR(cidr)
	return err == nil && network.Contains(address)
}

func matches(selector *meta.LabelSelector, of map[string]string) bool {
	parsed, err := meta.LabelSelectorAsSelector(selector)
	return err == nil && parsed.Matches(labels.Set(of))
}
