import { corpusOf } from '@slipway/agent-image/corpus'

import { testAnswers } from '../support/corpus.ts'

testAnswers(corpusOf('full'))
