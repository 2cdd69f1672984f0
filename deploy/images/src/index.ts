export { buildAgent, type BuiltAgent, type Pushable } from './agent.ts'
export {
  AgentImageBuilder,
  buildAgentImage,
  type AgentImage,
  type AgentImageOptions,
} from './agent-image.ts'
export { writeImageArchive } from './archive.ts'
export { buildDebianImage, type DebianImageOptions } from './debian-image.ts'
export { directoryEntry, fileEntry, hostFileEntry, symlinkEntry, type Entry } from './entries.ts'
export { writeImageLayout } from './layout.ts'
export { buildNatsImage } from './nats-image.ts'
export { buildPostgresImage } from './postgres-image.ts'
export { buildServiceImage, type ServiceImageOptions } from './service-image.ts'
export { MEMORY, SERVICES } from './services.ts'
export { readRelease } from './labels.ts'
export { defaultCacheDirectory, LayerCache } from './layer-cache.ts'
export { assembleImage, type Image, type ImageConfig, type Layer } from './oci.ts'
export type { Progress } from './progress.ts'
export { buildStoreImages, STORE_IMAGES, type StoreImage } from './store-images.ts'
export { pushImage, pushReference, type PushResult } from './registry.ts'
export { parseRegistry } from './registry-location.ts'
export { pythonRuntime } from './python-image.ts'
