import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The services with a database. */
export const DATABASES = ['catalog', 'deployer', 'observability'] as const

/** The name of a service with a database. */
export type DatabaseName = (typeof DATABASES)[number]

const FOLDER = resolve(import.meta.dirname, '..')

/** The folder of what a release has left for the tests of later ones. */
export function folderOf(version: string): string {
  return join(FOLDER, version)
}

/** The releases that this one must work with. */
export function releases(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => /^\d/.test(name))
}

/** Whether a release has left this file. */
export function hasLeft(version: string, file: string): boolean {
  return existsSync(join(folderOf(version), file))
}

/** Reads a text that a release has left. */
export function readText(version: string, file: string): string {
  return readFileSync(join(folderOf(version), file), 'utf8')
}

/** Reads a JSON file that a release has left. */
export function readJson<Content>(version: string, file: string): Content {
  return JSON.parse(readText(version, file)) as Content
}
