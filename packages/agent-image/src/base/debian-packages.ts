import type { Component } from '../sbom.ts'

/** The list of packages in an image, where scanners look for it. */
export const STATUS_PATH = 'var/lib/dpkg/status'

/** A Debian package in an image. */
export interface DebianPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
}

/**
 * Writes the list of the unpacked packages, as dpkg would if it installed them. mmdebstrap calls it
 * with the root of the new file system while the archives are still there.
 */
export const LIST_PACKAGES = `
for archive in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$archive" Package Source Version Architecture Maintainer
  printf 'Status: install ok installed\\n\\n'
done >"$1/${STATUS_PATH}"
`

/** Reads dpkg's list of packages. */
export function parsePackages(status: string): DebianPackage[] {
  return status.split(/\n\s*\n/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1]
    const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map(field)
    if (name === undefined || version === undefined) return []
    return [{ name, version, architecture: architecture ?? 'all' }]
  })
}

/** Returns the component of a Debian package for a software bill of materials. */
export function debianComponent(each: DebianPackage, suite: string): Component {
  const { name, version, architecture } = each
  const purl =
    `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}` +
    `?arch=${architecture}&distro=${suite}`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}
