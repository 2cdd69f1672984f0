import { isDeepStrictEqual } from 'node:util'
import { waitFor } from '@slipway/testing'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import {
  apply,
  asDeployer,
  binding,
  namespaceName,
  namespaceNamed,
  OWN_LABELS,
} from './support/as-deployer.ts'
import { sampleOf, typeNamed } from './support/schema.ts'
import type { Schemas } from './support/schema.ts'

// Every field that this version of Kubernetes has, set with the deployer's token. A field that is
// in neither list fails here: decide whether deploys need it.

const OWN = namespaceName('fields')
const DRY = 'dryRun=All&fieldValidation=Strict'

let admin: ApiClient
let deployer: ApiClient
let schemas: Schemas
beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  deployer = createApiClient(fromStack('DEPLOYER_KUBECONFIG'))
  const documents = await Promise.all(
    ['apis/apps/v1', 'api/v1'].map(
      async (group) => (await admin.call('GET', `/openapi/v3/${group}`)) as { components: object },
    ),
  )
  schemas = Object.assign(
    {},
    ...documents.map(({ components }) => (components as { schemas: Schemas }).schemas),
  ) as Schemas
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  expect(await apply(binding(), OWN)).toBe('ok')
  await waitFor(async () => (await asDeployer('GET', `/api/v1/namespaces/${OWN}/secrets`)) === 'ok', {
    what: 'the deployer to have its permissions',
  })
})
afterAll(async () => {
  await admin.call('DELETE', `/api/v1/namespaces/${OWN}`)
})

type Fields = Readonly<Record<string, unknown>>

const labels = { 'app.kubernetes.io/instance': OWN }
const selector = { matchLabels: labels }
const containerSecurity = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const container = { name: 'agent', image: 'example', securityContext: containerSecurity }
const podSecurity = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }

function deployment(pod: Fields) {
  const spec = {
    automountServiceAccountToken: false,
    securityContext: podSecurity,
    containers: [container],
    ...pod,
  }
  const template = { metadata: { labels }, spec }
  const metadata = { name: 'tried', labels }
  return { apiVersion: 'apps/v1', metadata, spec: { replicas: 0, selector, template } }
}

const withContainer = (fields: Fields) => deployment({ containers: [{ ...container, ...fields }] })
const withProbe = (fields: Fields) => withContainer({ livenessProbe: fields })

function claimingSet(fields: Fields) {
  const { spec, ...rest } = deployment({})
  const claim = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...fields,
  }
  const volumeClaimTemplates = [{ metadata: { name: 'data', labels }, spec: claim }]
  return { ...rest, spec: { ...spec, serviceName: 'tried', volumeClaimTemplates } }
}

function service(fields: Fields) {
  const spec = { selector: labels, ports: [{ port: 80 }], ...fields }
  return { apiVersion: 'v1', metadata: { name: 'tried', labels }, spec }
}

interface Level {
  readonly make: (fields: Fields) => object
  readonly collection?: string
  /** Fields that deploys need. */
  readonly allowed: readonly string[]
  /**
   * Valid values where the ones of the schema are not, with further fields that they need; a
   * function returns the whole object.
   */
  readonly samples?: Readonly<Record<string, Fields | (() => object)>>
}

const LEVELS: Readonly<Record<string, Level>> = {
  PodSpec: {
    make: deployment,
    allowed: [
      'containers',
      'enableServiceLinks',
      'imagePullSecrets',
      'initContainers',
      'restartPolicy',
      'securityContext',
      'serviceAccount',
      'serviceAccountName',
      'terminationGracePeriodSeconds',
      'topologySpreadConstraints',
      'volumes',
    ],
    samples: {
      affinity: { affinity: { nodeAffinity: {} } },
      dnsConfig: { dnsConfig: { nameservers: ['192.0.2.1'] } },
      dnsPolicy: { dnsPolicy: 'Default' },
      hostAliases: { hostAliases: [{ ip: '192.0.2.1', hostnames: ['a.example.com'] }] },
      hostUsers: { hostUsers: false },
      os: { os: { name: 'linux' } },
      overhead: { overhead: { cpu: '1' }, runtimeClassName: 'x' },
      preemptionPolicy: { preemptionPolicy: 'Never' },
      priority: { priority: 1000 },
      readinessGates: { readinessGates: [{ conditionType: 'example.com/x' }] },
      resourceClaims: { resourceClaims: [{ name: 'x', resourceClaimName: 'x' }] },
      resources: { resources: { limits: { cpu: '1' } } },
      tolerations: { tolerations: [{ operator: 'Exists' }] },
    },
  },
  PodSecurityContext: {
    make: (fields) => deployment({ securityContext: { ...podSecurity, ...fields } }),
    allowed: [
      'fsGroup',
      'fsGroupChangePolicy',
      'runAsGroup',
      'runAsNonRoot',
      'runAsUser',
      'seccompProfile',
      'sysctls',
    ],
    samples: {
      appArmorProfile: { appArmorProfile: { type: 'Unconfined' } },
      seLinuxChangePolicy: { seLinuxChangePolicy: 'Recursive' },
      supplementalGroupsPolicy: { supplementalGroupsPolicy: 'Strict' },
    },
  },
  Volume: {
    make: (fields) => deployment({ volumes: [{ name: 'x', ...fields }] }),
    allowed: ['emptyDir', 'name'],
    samples: {
      azureDisk: { azureDisk: { diskName: 'x', diskURI: '/subscriptions/x/x', kind: 'Managed' } },
      csi: { csi: { driver: 'csi.example.com' } },
      ephemeral: {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
      fc: { fc: { targetWWNs: ['x'], lun: 1 } },
      configMap: { configMap: { name: 'x' } },
      flexVolume: { flexVolume: { driver: 'example.com/x' } },
      flocker: { flocker: { datasetName: 'x' } },
      // The feature of these is off; without it, the volume would have no type.
      image: { emptyDir: {}, image: { reference: 'example' } },
      iscsi: { iscsi: { targetPortal: '192.0.2.1', iqn: 'iqn.2001-04.com.example:x', lun: 1 } },
      nfs: { nfs: { server: '192.0.2.1', path: '/' } },
      projected: {
        projected: { sources: [{ serviceAccountToken: { audience: 'x', path: 'token' } }] },
      },
      quobyte: { quobyte: { registry: 'x:1', volume: 'x' } },
      scaleIO: {
        scaleIO: { gateway: 'x', system: 'x', secretRef: { name: 'x' }, volumeName: 'x' },
      },
      secret: { secret: { secretName: 'x' } },
      storageos: { storageos: { volumeName: 'x', volumeNamespace: 'x' } },
    },
  },
  EmptyDirVolumeSource: {
    make: (fields) => deployment({ volumes: [{ name: 'x', emptyDir: fields }] }),
    allowed: ['sizeLimit'],
    samples: { medium: { medium: 'Memory' } },
  },
  Container: {
    make: withContainer,
    allowed: [
      'args',
      'command',
      'env',
      'envFrom',
      'image',
      'imagePullPolicy',
      'livenessProbe',
      'name',
      'ports',
      'readinessProbe',
      'resources',
      'securityContext',
      'startupProbe',
      'terminationMessagePath',
      'terminationMessagePolicy',
      'volumeMounts',
    ],
    samples: {
      lifecycle: { lifecycle: { preStop: { exec: { command: ['true'] } } } },
      restartPolicy: () =>
        deployment({ initContainers: [{ ...container, name: 'first', restartPolicy: 'Always' }] }),
      resizePolicy: { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
      stdinOnce: { stdin: true, stdinOnce: true },
      volumeDevices: () =>
        deployment({
          containers: [{ ...container, volumeDevices: [{ name: 'x', devicePath: '/x' }] }],
          volumes: [{ name: 'x', persistentVolumeClaim: { claimName: 'x' } }],
        }),
      workingDir: { workingDir: '/' },
    },
  },
  SecurityContext: {
    make: (fields) => withContainer({ securityContext: { ...containerSecurity, ...fields } }),
    allowed: ['capabilities', 'readOnlyRootFilesystem'],
    samples: {
      appArmorProfile: { appArmorProfile: { type: 'Unconfined' } },
      procMount: () => {
        const securityContext = { ...containerSecurity, procMount: 'Unmasked' }
        return deployment({ hostUsers: false, containers: [{ ...container, securityContext }] })
      },
      seccompProfile: { seccompProfile: { type: 'Unconfined' } },
    },
  },
  Capabilities: {
    make: (fields) =>
      withContainer({
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'], ...fields },
        },
      }),
    allowed: [],
    samples: { add: { add: ['SYS_ADMIN'] }, drop: { drop: ['CHOWN'] } },
  },
  ContainerPort: {
    make: (fields) => withContainer({ ports: [{ containerPort: 80, ...fields }] }),
    allowed: ['containerPort', 'name', 'protocol'],
    samples: { hostIP: { hostIP: '192.0.2.1' }, hostPort: { hostPort: 80 } },
  },
  EnvVarSource: {
    make: (fields) => {
      const valueFrom = { secretKeyRef: { name: 'x', key: 'x' }, ...fields }
      return withContainer({ env: [{ name: 'X', valueFrom }] })
    },
    allowed: ['secretKeyRef'],
    samples: {
      configMapKeyRef: { secretKeyRef: undefined, configMapKeyRef: { name: 'x', key: 'x' } },
      fieldRef: { secretKeyRef: undefined, fieldRef: { fieldPath: 'status.hostIP' } },
      resourceFieldRef: {
        secretKeyRef: undefined,
        resourceFieldRef: { resource: 'limits.cpu' },
      },
    },
  },
  EnvFromSource: {
    make: (fields) => withContainer({ envFrom: [{ configMapRef: { name: 'x' }, ...fields }] }),
    allowed: ['configMapRef'],
    samples: { secretRef: { configMapRef: undefined, secretRef: { name: 'x' } } },
  },
  ResourceRequirements: {
    make: (resources) => withContainer({ resources }),
    allowed: [],
    samples: {
      claims: () =>
        deployment({
          containers: [{ ...container, resources: { claims: [{ name: 'x' }] } }],
          resourceClaims: [{ name: 'x', resourceClaimName: 'x' }],
        }),
      limits: { limits: { 'example.com/device': '1' } },
      requests: {
        limits: { 'hugepages-2Mi': '2Mi', cpu: '1' },
        requests: { 'hugepages-2Mi': '2Mi', cpu: '1' },
      },
    },
  },
  VolumeMount: {
    make: (fields) =>
      deployment({
        containers: [{ ...container, volumeMounts: [{ name: 'x', mountPath: '/x', ...fields }] }],
        volumes: [{ name: 'x', emptyDir: {} }],
      }),
    allowed: ['mountPath', 'name'],
    samples: {
      mountPropagation: { mountPropagation: 'HostToContainer' },
      recursiveReadOnly: { readOnly: true, recursiveReadOnly: 'Enabled' },
    },
  },
  Probe: {
    make: (fields) => withProbe({ tcpSocket: { port: 80 }, ...fields }),
    allowed: [
      'exec',
      'failureThreshold',
      'httpGet',
      'initialDelaySeconds',
      'periodSeconds',
      'successThreshold',
      'tcpSocket',
      'timeoutSeconds',
    ],
    samples: { grpc: { tcpSocket: undefined, grpc: { port: 80 } } },
  },
  HTTPGetAction: {
    make: (fields) => withProbe({ httpGet: { port: 80, ...fields } }),
    allowed: ['path', 'port', 'scheme'],
  },
  TCPSocketAction: {
    make: (fields) => withProbe({ tcpSocket: { port: 80, ...fields } }),
    allowed: ['port'],
  },
  TopologySpreadConstraint: {
    make: (fields) =>
      deployment({
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: selector,
            ...fields,
          },
        ],
      }),
    allowed: ['labelSelector', 'maxSkew'],
    samples: {
      matchLabelKeys: { matchLabelKeys: ['pod-template-hash'] },
      minDomains: { whenUnsatisfiable: 'DoNotSchedule', minDomains: 1 },
      nodeAffinityPolicy: { nodeAffinityPolicy: 'Ignore' },
      nodeTaintsPolicy: { nodeTaintsPolicy: 'Honor' },
      whenUnsatisfiable: { whenUnsatisfiable: 'DoNotSchedule' },
    },
  },
  PersistentVolumeClaimSpec: {
    make: claimingSet,
    collection: 'apis/apps/v1/namespaces/OWN/statefulsets',
    allowed: ['accessModes', 'resources'],
    samples: {
      dataSource: { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } },
      dataSourceRef: { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'x' } },
      selector: { selector },
      storageClassName: { storageClassName: '' },
      volumeMode: { volumeMode: 'Block' },
    },
  },
  ServiceSpec: {
    make: service,
    collection: 'api/v1/namespaces/OWN/services',
    allowed: [
      'clusterIP',
      'clusterIPs',
      'internalTrafficPolicy',
      'ipFamilies',
      'ipFamilyPolicy',
      'ports',
      'selector',
      'sessionAffinity',
    ],
    samples: {
      allocateLoadBalancerNodePorts: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
      externalIPs: { externalIPs: ['203.0.113.7'] },
      externalName: { type: 'ExternalName', externalName: 'a.example.com' },
      externalTrafficPolicy: { type: 'NodePort', externalTrafficPolicy: 'Local' },
      healthCheckNodePort: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 32000,
      },
      loadBalancerClass: { type: 'LoadBalancer', loadBalancerClass: 'example.com/x' },
      loadBalancerIP: { type: 'LoadBalancer', loadBalancerIP: '203.0.113.7' },
      loadBalancerSourceRanges: {
        type: 'LoadBalancer',
        loadBalancerSourceRanges: ['203.0.113.0/24'],
      },
      sessionAffinityConfig: {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } },
      },
      trafficDistribution: { trafficDistribution: 'PreferClose' },
      type: { type: 'NodePort' },
    },
  },
  ServicePort: {
    make: (fields) => service({ ports: [{ port: 80, ...fields }] }),
    collection: 'api/v1/namespaces/OWN/services',
    allowed: ['name', 'port', 'protocol', 'targetPort'],
    samples: {
      appProtocol: { appProtocol: 'http' },
      nodePort: () => service({ type: 'NodePort', ports: [{ port: 80, nodePort: 32001 }] }),
    },
  },
}

const DEPLOYMENTS = 'apis/apps/v1/namespaces/OWN/deployments'

/** What Kubernetes refuses itself, in every template of a pod or without a privileged kubelet. */
const BY_KUBERNETES = /not allowed in pod template|is not Supported|disallowed by cluster policy/

async function create(level: Level, object: object): Promise<{ spec?: unknown } | string> {
  const path = `/${(level.collection ?? DEPLOYMENTS).replace('OWN', OWN)}?${DRY}`
  try {
    return (await deployer.call('POST', path, object)) as { spec: unknown }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (JSON.parse(error.answer) as { message: string }).message
  }
}

test.each(Object.entries(LEVELS))('a %s has only the fields of deploys', async (type, level) => {
  const present = await create(level, level.make({}))
  expect(present).toMatchObject({ spec: {} })
  const properties = Object.entries(typeNamed(schemas, type).properties ?? {})
  const gaps = properties.map(async ([field, schema]) => {
    if (level.allowed.includes(field)) return []
    const sample = level.samples?.[field] ?? { [field]: sampleOf(schemas, schema) }
    const made = await create(level, typeof sample === 'function' ? sample() : level.make(sample))
    if (typeof made === 'string') {
      const isRefused = /denied request: the deployer may only/.test(made)
      return isRefused || BY_KUBERNETES.test(made) ? [] : [`${field}: ${made}`]
    }
    // The API server drops a field whose feature is off.
    return isDeepStrictEqual(made.spec, (present as { spec: unknown }).spec)
      ? []
      : [`${field}: is accepted`]
  })
  expect((await Promise.all(gaps)).flat()).toEqual([])
})
