import { readFileSync } from 'node:fs'

import { Unavailable } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
import { messageOf } from '@slipway/shared/operator-file'
import { parseServerCertificate, type ServerCertificate } from '@slipway/shared/tls'
import { UsedFiles } from '@slipway/shared/used-files'

import type { CertificateFiles } from '../config/ingress.ts'

/** The operator's certificate for exposed components, which is renewed while the deployer runs. */
export class IngressCertificate implements Disposable {
  readonly #files: UsedFiles<ServerCertificate>
  readonly #chain: string

  constructor({ chain, key }: CertificateFiles, logger: Logger) {
    this.#chain = chain
    this.#files = new UsedFiles({
      setting: 'INGRESS_TLS_CERT_FILE',
      read: (path) => parseServerCertificate(readFileSync(path, 'utf8'), readKey(key)),
      logger,
    })
    // To report it at the start.
    this.#files.read(chain)
  }

  /** Returns the last valid certificate. Throws Unavailable if there was none. */
  readonly current = (): ServerCertificate => {
    const certificate = this.#files.read(this.#chain)
    if (certificate !== undefined) return certificate
    // Without it, browsers and clients would get the ingress controller's own certificate.
    throw new Unavailable(
      'ingress_certificate_invalid',
      'the platform’s certificate for exposed components is not valid, so none can be deployed; ' +
        'its operator must correct the files of INGRESS_TLS_CERT_FILE and INGRESS_TLS_KEY_FILE',
    )
  }

  /** A readiness check, which rejects while the certificate has never been valid. */
  readonly check = async (): Promise<void> => {
    this.current()
  };

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]()
  }
}

/** Reads the key. An error names it, as the files are reported under the path of the chain. */
function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`INGRESS_TLS_KEY_FILE, ${path}: ${messageOf(error)}`, { cause: error })
  }
}
