import { readTemplateSettings, type TemplateSettings } from '@slipway/agent-spec'
import type { ConfigReader } from '@slipway/shared/config'

import type { ManifestSettings } from '../manifests/settings.ts'
import { readImages, type ImageSettings } from './images.ts'
import { readCertificateFiles, readIngress, type CertificateFiles } from './ingress.ts'
import { readNetwork } from './network.ts'
import { readEphemeralStorage } from './ephemeral-storage.ts'
import { MAX_UID, POD_SECURITY_LEVELS, readPodSecurityExceptions } from './pod-security.ts'

/** The operator's settings for all deployments. */
export interface WorkloadConfig {
  /** Must equal the catalog's settings, so that a deploy does what the template shows. */
  readonly template: TemplateSettings
  readonly manifests: ManifestSettings
  /**
   * A certificate for all hosts of exposed components, copied to each namespace. Without it and
   * INGRESS_TLS_SECRET, the annotations must provide a certificate, or there is no TLS.
   */
  readonly ingressCertificate: CertificateFiles | undefined
  /** The endpoint to which agents send traces; undefined turns telemetry off. */
  readonly ingestUrl: string | undefined
  readonly images: ImageSettings
  /** Storage classes that volumes may name; `*` allows all. */
  readonly storageClasses: ReadonlySet<string>
}

/** Reads the operator's settings for all deployments. */
export function readWorkloadConfig(reader: ConfigReader): WorkloadConfig {
  const ingestUrl = reader.optional('INGEST_URL')?.replace(/\/+$/, '')
  const podSecurity = reader.oneOf('POD_SECURITY', POD_SECURITY_LEVELS, 'restricted')
  const template = readTemplateSettings(reader)
  return Object.freeze({
    template,
    ingestUrl,
    images: readImages(reader),
    ingressCertificate: readCertificateFiles(reader),
    storageClasses: new Set([
      ...reader.list('STORAGE_CLASSES', []),
      ...(template.storageClass === undefined ? [] : [template.storageClass]),
    ]),
    manifests: Object.freeze({
      podSecurity,
      podUid: reader.integer('POD_UID', 1000, { min: 1, max: MAX_UID }),
      podSecurityExceptions: readPodSecurityExceptions(reader, podSecurity),
      readOnlyRootFilesystem: reader.boolean('POD_READ_ONLY_ROOT', false),
      ephemeralStorage: readEphemeralStorage(reader),
      ingestionSeconds: reader.integer('MAX_INGESTION_SECONDS', 24 * 60 * 60, {
        min: 60,
        max: 30 * 24 * 60 * 60,
      }),
      ingestionStartSeconds: reader.integer('MAX_INGESTION_START_SECONDS', 15 * 60, {
        min: 1,
        max: 24 * 60 * 60,
      }),
      ingress: readIngress(reader),
      network: readNetwork(reader, ingestUrl),
    }),
  })
}
