import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '@slipway/testing/free-ports'
import { stackDirectories } from '../../stack/stack.ts'
import { buildTool } from '../../install/toolchain.ts'
import { applyManifests, deployerAccount, deployerRights, localAddons } from '../addons.ts'
import type { ApiClient } from '../client.ts'
import { controllersWork, startControlPlane, stopControlPlane } from './control-plane.ts'
import { writeTokenKubeconfig } from '../deployer-kubeconfig.ts'
import { runCommand } from '../../process/run-command.ts'

/** A control plane for tests. It is real, but has no nodes, so pods never run. */
export interface TemporaryControlPlane extends AsyncDisposable {
  /** The administrator's kubeconfig. */
  readonly kubeconfig: string
  /** The deployer's kubeconfig, with its own ServiceAccount and permissions. */
  readonly deployerKubeconfig: string
  readonly client: ApiClient
  readonly kubectl: string
}

/** Starts a control plane on free ports and in a temporary directory. Needs no root. */
export async function startTemporaryControlPlane(): Promise<TemporaryControlPlane> {
  const directories = stackDirectories()
  const programs = await buildTool(directories, 'kubernetes', () => undefined)
  const kubectl = join(programs, 'kubectl')
  const base = mkdtempSync(join(tmpdir(), 'slipway-control-plane-'))
  const place = { stateDir: join(base, 'state'), runDir: join(base, 'run') }
  const stop = async () => {
    await stopControlPlane(place)
    rmSync(base, { recursive: true, force: true })
  }
  try {
    const [api = 0, etcd = 0, etcdPeer = 0] = await freePorts(3)
    const plane = await startControlPlane({
      ...place,
      programs,
      address: '127.0.0.1',
      // Only pods use it, and there are none.
      advertisedAddress: '192.0.2.1',
      ports: { api, etcd, etcdPeer },
      services: '10.98.0.0/16',
      apiService: '10.98.0.1',
      scheduler: false,
      endsWithStarter: true,
    })
    const access = { kubectl, kubeconfig: plane.adminKubeconfig, cache: join(base, 'kubectl') }
    await applyManifests(access, [deployerRights(directories), localAddons(directories)])
    await controllersWork(plane, place)

    const deployerKubeconfig = join(base, 'deployer.kubeconfig')
    const tokenFile = join(base, 'deployer.token')
    const { namespace, name } = deployerAccount
    const account = ['--namespace', namespace, 'create', 'token', name]
    const token = await runCommand(kubectl, ['--kubeconfig', plane.adminKubeconfig, ...account])
    writeFileSync(tokenFile, token.trim(), { mode: 0o600 })
    await writeTokenKubeconfig(deployerKubeconfig, {
      kubectl,
      adminKubeconfig: plane.adminKubeconfig,
      tokenFile,
    })
    return {
      kubeconfig: plane.adminKubeconfig,
      deployerKubeconfig,
      client: plane.client,
      kubectl,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
