// Command coredns is CoreDNS with only the plugins that the local cluster uses.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/template"
)

// Plugins see a query in this order: template answers names that kubernetes doesn't know.
func init() {
	dnsserver.Directives = []string{
		"bind", "ready", "errors", "cache", "kubernetes", "template", "forward",
	}
}

func main() { coremain.Run() }
