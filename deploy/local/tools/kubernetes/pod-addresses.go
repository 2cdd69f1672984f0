package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	v1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// connection is what the first packet of a connection says.
type connection struct {
	from, to net.IP
	protocol v1.Protocol // empty for protocols without ports
	port     int32
}

func (c connection) String() string {
	return fmt.Sprintf("%v -> %v %s %d", c.from, c.to, c.protocol, c.port)
}

// parse reads an IPv4 packet. The kernel puts fragments together before it asks.
func parse(packet []byte) (connection, error) {
	if len(packet) < 20 || packet[0]>>4 != 4 {
		return connection{}, errors.New("not IPv4")
	}
	found := connection{from: net.IP(packet[12:16]), to: net.IP(packet[16:20])}
	protocols := map[byte]v1.Protocol{
		syscall.IPPROTO_TCP:  v1.ProtocolTCP,
		syscall.IPPROTO_UDP:  v1.ProtocolUDP,
		syscall.IPPROTO_SCTP: v1.ProtocolSCTP,
	}
	if protocol, ok := protocols[packet[9]]; ok {
		ports := int(packet[0]&0xf) * 4
		if len(packet) < ports+4 {
			return found, errors.New("too short")
		}
		found.protocol = protocol
		found.port = int32(binary.BigEndian.Uint16(packet[ports+2:]))
	}
	return found, nil
}

// podAddresses finds pods by files that the container runtime writes before a pod starts. The
// API has a pod's address only later.
type podAddresses struct {
	directory string
	lister    corelisters.PodLister
}

// find returns the pod at an address; nil if no pod has it. The second result is false
// if the pod is not known yet, or no longer.
func (a podAddresses) find(address net.IP) (*v1.Pod, bool) {
	text, err := os.ReadFile(filepath.Join(a.directory, address.String()))
	if err != nil {
		return nil, true
	}
	arguments := map[string]string{}
	for _, pair := range strings.Split(strings.TrimSpace(string(text)), ";") {
		name, value, _ := strings.Cut(pair, "=")
		arguments[name] = value
	}
	pod, err := a.lister.Pods(arguments["K8S_POD_NAMESPACE"]).Get(arguments["K8S_POD_NAME"])
	if err != nil || string(pod.UID) != arguments["K8S_POD_UID"] {
		return nil, false
	}
	return pod, true
}
