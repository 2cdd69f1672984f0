export {
  buildAgent,
  type BuildAgentOptions,
  type BuiltAgent,
  type BuiltImage,
  type PlatformContents,
} from './build-agent.ts'
export {
  buildAndPushAgent,
  pushAgent,
  registrationOf,
  type PushedAgent,
  type Registration,
} from './push-agent.ts'
export { hasProject, newSpec, type NewSpec } from './new-spec.ts'
export type { ImageContents } from './checks/image-contents.ts'
export type { Attestation } from './attestations/attach.ts'
export type { BuildSource } from './preparation.ts'
export {
  buildAgentImage,
  type AgentImage,
  type AgentImageOptions,
  type BuilderOptions,
} from './program/agent-image.ts'
export {
  engineProblem,
  ENGINES,
  findContainerEngine,
  type ContainerEngine,
} from './dockerfile/container-engine.ts'
export type { OutsideAccess } from './dockerfile/outside-access.ts'
export { PACKAGES_BASE } from './base/packages-base.ts'
export { defaultPlatform, PLATFORMS, type PlatformName } from './base/platform.ts'
export { defaultCacheDirectory } from './image/layer-cache.ts'
export { LOCKFILES, type ManagerName } from './program/node-project.ts'
export { formatSize, type Progress } from './progress.ts'
export { findCredentials } from './registry/credentials.ts'
export type { Credentials } from './registry/login.ts'
export { RegistryError, type RegistryProblem } from './registry/registry-error.ts'
export { parseRegistry, type RegistryLocation } from './registry/registry-location.ts'
export type { PushOptions, UploadState } from './registry/push-image.ts'
