import { corpusOf } from '@slipway/agent-image/corpus'

import { testAnswers } from '../support/corpus.ts'

/** Names of projects, for a run of a few by hand. */
const only = process.env['SLIPWAY_CORPUS_ONLY']?.split(',')

testAnswers(corpusOf('full').filter(({ name }) => only?.includes(name) ?? true))
