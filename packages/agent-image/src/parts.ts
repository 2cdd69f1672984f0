// What other images are made of, for deploy/images and the local stack.
export { debianLayer } from './base/debian.ts'
export { debianComponent, parsePackages, STATUS_PATH } from './base/debian-packages.ts'
export { debianPython } from './base/debian-python.ts'
export { nodeRuntime, SHELL_PACKAGES, type Runtime } from './base/runtime.ts'
export { writeImageArchive } from './image/archive.ts'
export {
  directoryEntry,
  fileEntry,
  hostFileEntry,
  hostTreeEntries,
  orderEntries,
  symlinkEntry,
  type Entry,
} from './image/entries.ts'
export { LayerCache } from './image/layer-cache.ts'
export { assembleImage, imageIndex, type Image, type ImageConfig, type Layer } from './image/oci.ts'
export { AgentImageBuilder } from './program/agent-image.ts'
export { APPLICATION_PATH } from './program/application.ts'
export { readManifest } from './program/manifest.ts'
export { dependencyLinks, isWorkspacePackage, PackageStore } from './program/node-modules.ts'
export { packageTree } from './program/source-files.ts'
export { Uv, UV_REQUIREMENT } from './program/uv.ts'
export type { Progress } from './progress.ts'
export { pushImage, pushReference } from './registry/push-image.ts'
export { resolveImage } from './registry/resolve-image.ts'
export {
  applicationComponent,
  nodeComponent,
  npmComponent,
  relate,
  sbom,
  SBOM_PATH,
  type Component,
  type Relations,
} from './sbom.ts'
