export { readGuidePages, type GuidePage } from './guide-page.ts'
export { readRecordings } from './read-recordings.ts'
export { writeRecording } from './recording-file.ts'
export type {
  Expected,
  ExpectedTool,
  ExpectedTrace,
  LedgerEntry,
  RecordedRequest,
  Recording,
  SpanKind,
} from './recording.ts'
export { replay, type ReplayOptions } from './replay.ts'
