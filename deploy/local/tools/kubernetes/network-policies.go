package main

import (
	"context"
	"log"
	"net"
	"os/signal"
	"syscall"
	"time"

	"github.com/florianl/go-nfqueue"
	"github.com/spf13/cobra"
	"golang.org/x/time/rate"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// A pod is in the API before its network exists, so it is missing only while a watch is behind.
const unknownPodTimeout = 2 * time.Second

// newNetworkPoliciesCommand returns the program that enforces NetworkPolicies on the local node.
// The kernel asks it about the first packet of each connection from a pod. Until it answers, the
// packet waits; while the program doesn't run, the kernel drops it.
func newNetworkPoliciesCommand() *cobra.Command {
	var kubeconfig, addresses string
	var queue uint16
	var mark int
	command := &cobra.Command{
		Use:          "network-policies",
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			context, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
			if err != nil {
				return err
			}
			client, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			factory := informers.NewSharedInformerFactory(client, 0)
			rules := newRules(factory)
			pods := podAddresses{directory: addresses, lister: factory.Core().V1().Pods().Lister()}
			factory.Start(context.Done())
			factory.WaitForCacheSync(context.Done())
			return answer(context, queue, mark, pods, rules)
		},
	}
	flags := command.Flags()
	flags.StringVar(&kubeconfig, "kubeconfig", "",
		"kubeconfig of a user who may watch pods, namespaces and networkpolicies")
	flags.StringVar(&addresses, "addresses", "", "directory with a file for the address of each pod")
	flags.Uint16Var(&queue, "queue", 0, "number of the queue to which the firewall sends packets")
	flags.IntVar(&mark, "refused-mark", 0, "mark of packets that the firewall must reject")
	return command
}

// answer gives the verdicts until the context ends.
func answer(ctx context.Context, number uint16, mark int, pods podAddresses, rules rules) error {
	queue, err := nfqueue.Open(&nfqueue.Config{
		NfQueue:      number,
		MaxPacketLen: 256,
		MaxQueueLen:  4096,
		Copymode:     nfqueue.NfQnlCopyPacket,
		Flags:        nfqueue.NfQaCfgFlagGSO,
		WriteTimeout: time.Second,
	})
	if err != nil {
		return err
	}
	defer queue.Close()
	logs := rate.NewLimiter(10, 100)
	decide := func(id uint32, payload []byte) {
		connection, err := parse(payload)
		reason := "the packet is not valid IPv4"
		if err == nil {
			reason = refusal(connection, pods, rules)
		}
		if reason == "" {
			err = queue.SetVerdict(id, nfqueue.NfAccept)
		} else {
			if logs.Allow() {
				log.Printf("refused %v: %s", connection, reason)
			}
			err = queue.SetVerdictWithMark(id, nfqueue.NfAccept, mark)
		}
		if err != nil {
			log.Printf("the kernel did not take the verdict: %v", err)
		}
	}
	err = queue.RegisterWithErrorFunc(ctx,
		func(a nfqueue.Attribute) int {
			if a.PacketID != nil && a.Payload != nil {
				go decide(*a.PacketID, append([]byte(nil), *a.Payload...))
			}
			return 0
		},
		func(err error) int {
			if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
				log.Printf("could not receive packets: %v", err)
			}
			return 0
		})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// refusal says why a connection is not allowed; empty if it is.
func refusal(connection connection, pods podAddresses, rules rules) string {
	deadline := time.Now().Add(unknownPodTimeout)
	for {
		from, fromKnown := pods.find(connection.from)
		to, toKnown := pods.find(connection.to)
		// Every source is a pod. A destination without a file isn't one.
		if from == nil {
			fromKnown = false
		}
		if fromKnown && toKnown {
			return rules.refusal(connection, from, to)
		}
		if time.Now().After(deadline) {
			return "the pod is not known"
		}
		time.Sleep(5 * time.Millisecond)
	}
}
