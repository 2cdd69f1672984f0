import { create } from '@bufbuild/protobuf'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

/** The method that all sides serve and call: small messages, as most are. */
export const METHOD = AccountService.method.checkAccess

/** Its path in gRPC and Connect. */
export const METHOD_PATH = `/${AccountService.typeName}/${METHOD.name}`

/** The request. */
export const REQUEST = { account: 'alice', realm: 'main', subject: '6f1de0ad-4a0b' }

/** The response. */
export const RESPONSE = create(METHOD.output, {
  accountId: 'acc_0b8f6c54d1',
  userId: 'usr_93f1',
  role: Role.MEMBER,
})

/** The headers that services send with each call; an access token has about this length. */
export const HEADERS = {
  authorization: `Bearer ${'x'.repeat(800)}`,
  'x-request-id': '0f8fad5b-d9cb-469f-a165-70867728950e',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
}

/** The deadline of a call. */
export const TIMEOUT_MS = 5_000
