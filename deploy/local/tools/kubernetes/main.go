// Command kubernetes is every Kubernetes program of the local cluster, etcd and kubectl included,
// in one binary. The name under which it is called (through a link) selects the program. One binary
// is built once and is in memory once, instead of seven times; see
// docs/adr/0006-local-cluster-from-go-modules.md.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	daemons := map[string]func() *cobra.Command{
		"kube-apiserver":          apiserver.NewAPIServerCommand,
		"kube-controller-manager": controllermanager.NewControllerManagerCommand,
		"kube-proxy":              proxy.NewProxyCommand,
		"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
		"kubelet": func() *cobra.Command {
			return kubelet.NewKubeletCommand(context.Background())
		},
		"network-policies": newNetworkPoliciesCommand,
	}
	name := filepath.Base(os.Args[0])
	switch daemon := daemons[name]; {
	case name == "etcd":
		etcdmain.Main(os.Args)
	case name == "kubectl":
		if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
			util.CheckErr(err)
		}
	case daemon != nil:
		os.Exit(cli.Run(daemon()))
	default:
		fmt.Fprintf(os.Stderr, "%s is not the name of a Kubernetes program\n", name)
		os.Exit(2)
	}
}
