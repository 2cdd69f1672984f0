import {
  container,
  containerSecurity,
  deployment,
  withContainer,
  withProbe,
} from './smallest-objects.ts'
import type { Level } from './smallest-objects.ts'

/** Containers. */
export const containerLevels: Readonly<Record<string, Level>> = {
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
}
