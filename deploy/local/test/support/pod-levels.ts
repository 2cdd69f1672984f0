import { claimingSet, deployment, podSecurity, selector, service } from './smallest-objects.ts'
import type { Level } from './smallest-objects.ts'

/** Pods and their volumes, and what runs and serves them. */
export const podLevels: Readonly<Record<string, Level>> = {
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
      // While its feature is off, the API server drops the whole volume.
      image: () =>
        deployment({ volumes: [{ name: 'x' }, { name: 'y', image: { reference: 'example' } }] }),
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
