import { CliError } from '../errors/cli-error.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'your quota of disk space is used up',
  ENOENT: 'a file or folder of this name does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
}

/** Explains that a file or folder can't be read or written; undefined for other errors. */
export function fileFailure(error: unknown): CliError | undefined {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException
  const why = REASONS[code]
  if (why === undefined || typeof path !== 'string') return undefined
  return new CliError(`can't use ${path}`, {
    code: 'file_unusable',
    why,
    next: 'check the path and its permissions, or use another folder',
    cause: error,
  })
}
