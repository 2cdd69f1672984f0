import { gunzipSync, gzipSync } from 'node:zlib'

import type { RecordedRequest, Recording } from './recording.ts'

/** A request in a file: JSON as text, protobuf compressed and in base64. */
interface StoredRequest {
  readonly path: RecordedRequest['path']
  readonly content_type: string
  readonly json?: string
  readonly gzip_base64?: string
}

type Contents = Omit<Recording, 'name' | 'requests'> & {
  readonly requests: readonly {
    readonly path: string
    readonly contentType: string
    readonly body: Buffer
  }[]
}

/** Writes a recording as the text of its file. */
export function writeRecording({ requests, ...rest }: Contents): string {
  const stored = requests.map(({ path, contentType, body }) => ({
    path,
    content_type: contentType,
    ...(contentType.includes('json')
      ? { json: body.toString('utf8') }
      : { gzip_base64: gzipSync(body, { level: 9 }).toString('base64') }),
  }))
  return `${JSON.stringify({ ...rest, requests: stored }, null, 2)}\n`
}

/** Reads a recording from the text of its file. */
export function readRecording(name: string, text: string): Recording {
  const { requests, ...rest } = JSON.parse(text) as Omit<Recording, 'name' | 'requests'> & {
    readonly requests: readonly StoredRequest[]
  }
  return {
    ...rest,
    name,
    requests: requests.map(({ path, content_type, json, gzip_base64 }) => ({
      path,
      contentType: content_type,
      body:
        json === undefined
          ? gunzipSync(Buffer.from(gzip_base64 ?? '', 'base64'))
          : Buffer.from(json),
    })),
  }
}
