/** The fields of the chart's objects that the tests read. */
export interface ChartObject {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Labels
    readonly annotations?: Labels
  }
  readonly spec?: unknown
  readonly stringData?: Labels
  readonly data?: Labels
}

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>

/** A variable of a container. */
export interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string }
  }
}

/** A container of a pod. */
export interface Container {
  readonly name: string
  readonly env?: readonly Variable[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

/** A volume of a pod. */
export interface Volume {
  readonly name: string
  readonly configMap?: { readonly name: string }
  readonly secret?: {
    readonly secretName: string
    readonly items?: readonly { readonly key: string; readonly path: string }[]
  }
}

/** A pod, or what a workload makes pods of. */
export interface Pod {
  /** The value of its label `app.kubernetes.io/component`. */
  readonly component: string
  readonly labels: Labels
  readonly namespaceLabels: Labels
  readonly containers: readonly Container[]
  readonly initContainers: readonly Container[]
  readonly volumes: readonly Volume[]
}

/** A Service. */
export interface Service {
  readonly name: string
  readonly selector: Labels
  readonly ports: readonly {
    readonly name: string
    readonly port: number
    readonly targetPort: string
  }[]
}

interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
}

/** Returns the pods of workloads and those that are rendered themselves. */
export function podsOf(objects: readonly ChartObject[], namespace: string): Pod[] {
  return objects.flatMap((object) => {
    if (object.kind === 'Pod')
      return toPod(object.metadata.labels ?? {}, object.spec as PodSpec, namespace)
    if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') return []
    const { template } = object.spec as {
      readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
    }
    return toPod(template.metadata.labels, template.spec, namespace)
  })
}

function toPod(labels: Labels, spec: PodSpec, namespace: string): Pod {
  return {
    component: labels['app.kubernetes.io/component'] ?? '',
    labels,
    namespaceLabels: { 'kubernetes.io/metadata.name': namespace },
    containers: spec.containers,
    initContainers: spec.initContainers ?? [],
    volumes: spec.volumes ?? [],
  }
}

/** Returns the Services. */
export function servicesOf(objects: readonly ChartObject[]): Service[] {
  return objects.flatMap(({ kind, metadata, spec }) =>
    kind === 'Service' ? { ...(spec as Omit<Service, 'name'>), name: metadata.name } : [],
  )
}

/** Whether labels have all pairs of a selector. */
export function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}
