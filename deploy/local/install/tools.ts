/** A program that is built from a Go module in deploy/local/tools. */
export interface ToolDescription {
  readonly title: string
  /** The folder of the Go module; the tool's name by default. */
  readonly folder?: string
  /** The package to build; by default that of the module's `tool` directive, or its root. */
  readonly package?: string
  /** The Go module whose version is the tool's version. */
  readonly module?: string
  /** Build tags. */
  readonly tags?: string
  /** Variables that the linker sets, so that the program reports its version. */
  readonly versionVariables?: (version: string) => Readonly<Record<string, string>>
  /** The names under which the binary is called. */
  readonly links?: readonly string[]
}

// These share a module, and with it the versions of Kubernetes' libraries, so that each of these is
// compiled once.
const CLUSTER_TOOLS = 'cluster-tools'

/** The programs that are built from Go modules. */
export const tools = {
  pause: { title: 'the pause container' },
  'nats-server': { title: 'the NATS server', module: 'github.com/nats-io/nats-server/v2' },
  registry: { title: 'the image registry', module: 'github.com/google/go-containerregistry' },
  crane: { title: 'crane', module: 'github.com/google/go-containerregistry' },
  kubernetes: {
    title: 'Kubernetes',
    module: 'k8s.io/kubernetes',
    versionVariables: kubernetesVersion,
    links: [
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kubelet',
      'network-policies',
      'kube-proxy',
      'kubectl',
    ],
  },
  coredns: { title: 'CoreDNS', module: 'github.com/coredns/coredns' },
  'metrics-server': {
    title: 'metrics-server',
    folder: CLUSTER_TOOLS,
    package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
    module: 'sigs.k8s.io/metrics-server',
  },
  helm: {
    title: 'Helm',
    folder: CLUSTER_TOOLS,
    package: 'helm.sh/helm/v4/cmd/helm',
    module: 'helm.sh/helm/v4',
    versionVariables: (version) => ({ 'helm.sh/helm/v4/internal/version.version': version }),
  },
  // Only renders charts, for users who haven't changed to Helm 4.
  helm3: {
    title: 'Helm',
    folder: CLUSTER_TOOLS,
    package: 'helm.sh/helm/v3/cmd/helm',
    module: 'helm.sh/helm/v3',
    versionVariables: (version) => ({ 'helm.sh/helm/v3/internal/version.version': version }),
  },
  'helm-unittest': {
    title: 'helm-unittest',
    folder: CLUSTER_TOOLS,
    package: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
    module: 'github.com/helm-unittest/helm-unittest',
  },
  kubeconform: {
    title: 'kubeconform',
    folder: CLUSTER_TOOLS,
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
    module: 'github.com/yannh/kubeconform',
  },
  promtool: {
    title: 'promtool',
    folder: CLUSTER_TOOLS,
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    module: 'github.com/prometheus/prometheus',
    // Service discovery needs the SDKs of all clouds; checking rules needs none of it.
    tags: 'remove_all_sd',
  },
  'kubernetes-cron': {
    title: 'the calendar of CronJobs',
    module: 'github.com/robfig/cron/v3',
  },
  'image-reference': {
    title: 'the parser of image references',
    module: 'github.com/distribution/reference',
  },
  dex: { title: 'Dex', module: 'github.com/dexidp/dex' },
} satisfies Readonly<Record<string, ToolDescription>>

/** The name of a program that is built from a Go module. */
export type Tool = keyof typeof tools

// An identity provider that isn't part of Slipway, to try signing in with one.
const BUILT_ON_DEMAND: readonly Tool[] = ['dex']

/** The programs that the stack, the checks and the tests need, in the order of a first run. */
export const TOOLS: readonly Tool[] = (Object.keys(tools) as Tool[]).filter(
  (tool) => !BUILT_ON_DEMAND.includes(tool),
)

function kubernetesVersion(version: string): Readonly<Record<string, string>> {
  const [major = '', minor = ''] = version.replace('v', '').split('.')
  const component = 'k8s.io/component-base/version'
  return {
    [`${component}.gitVersion`]: version,
    [`${component}.gitMajor`]: major,
    [`${component}.gitMinor`]: minor,
    [`${component}.gitTreeState`]: 'clean',
    'k8s.io/client-go/pkg/version.gitVersion': version,
  }
}
