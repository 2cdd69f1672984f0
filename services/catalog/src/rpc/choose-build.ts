import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { InvalidInput, invalidField } from '@slipway/shared/errors'

import type { CatalogContext } from '../context.ts'
import { findDeployableBuild, type DeployableBuild, type Viewer } from '../db/resolve.ts'
import { isAccountName } from '../domain/account-name.ts'
import { isAgentName, isBuildId } from '../domain/check-build.ts'
import { buildNotFound, noBuilds, shown, versionNotFound } from '../domain/missing.ts'
import { parseVersion, VERSION_RULE, type Version } from '../domain/version.ts'

/** The build that a request is about. Empty strings mean that it doesn't say. */
export interface BuildQuery {
  readonly account: string
  readonly name: string
  readonly buildId: string
  readonly version: string
  readonly viewer: Viewer
  readonly spec: 'yaml' | 'json'
}

/** A build that exists, and why it was chosen. */
export type ChosenBuild = DeployableBuild & {
  readonly build_id: string
  readonly choice: BuildChoice
}

/** The account and agent that were found, with the build that `requireBuild` checks. */
export type FoundAgent = DeployableBuild & { readonly isInsider: boolean }

/**
 * Finds the agent, with the named or chosen build. Undefined if there is no such account;
 * `agent_id` is null if there is no such agent. Throws InvalidInput if `version` is not a version.
 */
export async function findBuild(
  { db }: CatalogContext,
  { account, name, buildId, version, viewer, spec }: BuildQuery,
): Promise<FoundAgent | undefined> {
  const { key } = readVersion(version) ?? {}
  if (!isAccountName(account)) return undefined
  const named =
    buildId !== ''
      ? { buildId: isBuildId(buildId) ? buildId : '' }
      : key === undefined
        ? undefined
        : { versionKey: key }
  // Invalid names are looked up as empty strings, so that the first missing resource is reported.
  const agent = isAgentName(name) ? name : ''
  const found = await findDeployableBuild(db, { account, name: agent, named, viewer, spec })
  if (found === undefined) return undefined
  const isInsider =
    'accountId' in viewer ? found.account_id === viewer.accountId : found.role !== null
  return { ...found, isInsider }
}

/**
 * Checks the build of an agent that was found. Throws NotFound if there is none, and InvalidInput
 * `version_mismatch` if it isn't published as the version.
 */
export function requireBuild(
  found: FoundAgent,
  { name, buildId, version }: Pick<BuildQuery, 'name' | 'buildId' | 'version'>,
): ChosenBuild {
  const { build_id, isInsider, account } = found
  const agent = `${account}/${name}`
  if (build_id === null) {
    const kind = isInsider ? 'build' : 'published build'
    if (buildId !== '') throw buildNotFound(`${agent} has no ${kind} ${shown(buildId)}`)
    if (version !== '') throw versionNotFound(`${agent} has no version ${version}`)
    const yanked = isInsider ? 'every build' : 'every published version'
    throw noBuilds(`${yanked} of ${agent} is yanked, so name one with build_id or version`)
  }
  const asked = readVersion(version)
  if (asked && !readVersion(found.version ?? '')?.key.equals(asked.key)) {
    const published = found.version === null ? 'not published' : `published as ${found.version}`
    const description = `build ${build_id} is ${published}, so it is not version ${version}`
    throw new InvalidInput('version_mismatch', description, {
      violations: [{ field: 'version', description }],
    })
  }
  return { ...found, build_id, choice: choiceOf(buildId !== '' || version !== '', isInsider) }
}

function choiceOf(isNamed: boolean, isInsider: boolean): BuildChoice {
  if (isNamed) return BuildChoice.ASKED_FOR
  return isInsider ? BuildChoice.NEWEST_BUILD : BuildChoice.NEWEST_PUBLISHED
}

function readVersion(text: string): Version | undefined {
  if (text === '') return undefined
  const version = parseVersion(text)
  if (version === undefined) throw invalidField('version', VERSION_RULE)
  return version
}
