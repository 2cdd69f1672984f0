import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { memberListQuery, tokensQuery } from '../../api/account-queries.ts'
import { memberName } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { NewToken } from './new-token.tsx'
import { whyNotManage, type Viewer } from './permissions.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

type Token = Schemas['MachineToken']

interface TokensProps {
  readonly account: string
  readonly viewer: Viewer
}

/** The machine tokens of an account. */
export function Tokens({ account, viewer }: TokensProps) {
  const reason = whyNotManage(viewer)
  const mayList = reason === undefined
  const { data, error, refetch } = useQuery({ ...tokensQuery(account), enabled: mayList })
  const { data: members } = useQuery(memberListQuery(account))
  const [revoked, setRevoked] = useState<Token>()
  const creators = new Map(members?.map((member) => [member.user_id, memberName(member)]))
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Machine tokens</h2>
      <p className="faint">
        A program, such as a CI job, uses one in place of a person&rsquo;s sign-in.
      </p>
      {error !== null && (
        <Problem error={error} what="The tokens can't be read" retry={() => void refetch()} />
      )}
      {mayList && data === undefined && error === null && <Loading what="the tokens" />}
      {data?.length === 0 && <Empty title="No machine token yet" />}
      {data !== undefined && data.length > 0 && (
        <TableFrame label="Table of machine tokens">
          <table>
            <thead>
              <tr>
                <th scope="col">Token</th>
                <th scope="col">Role</th>
                <th scope="col">Last use</th>
                <th scope="col">Expires</th>
                <th scope="col">Created by</th>
                <th scope="col">
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((token) => (
                <TokenRow
                  key={token.id}
                  token={token}
                  creator={creators.get(token.created_by) ?? token.created_by}
                  onRevoke={setRevoked}
                />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <NewToken account={account} reason={reason} />
      {revoked !== undefined && (
        <RevokeDialog account={account} token={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </section>
  )
}

interface TokenRowProps {
  readonly token: Token
  readonly creator: string
  readonly onRevoke: (token: Token) => void
}

function TokenRow({ token, creator, onRevoke }: TokenRowProps) {
  const { name, role, last_used_at: used, expires_at: expires } = token
  return (
    <tr>
      <th scope="row">{visible(name)}</th>
      <td>{role}</td>
      <td>{used === undefined ? 'never' : <TimeAgo time={used} />}</td>
      <td>
        {Date.parse(expires) < Date.now() ? (
          <span className="warning">expired</span>
        ) : (
          <time dateTime={expires}>{new Date(expires).toLocaleDateString('sv')}</time>
        )}
      </td>
      <td className="words">{visible(creator)}</td>
      <td className="actions">
        <button
          type="button"
          className="button small"
          aria-label={`Revoke ${visible(name)}`}
          onClick={() => onRevoke(token)}
        >
          Revoke
        </button>
      </td>
    </tr>
  )
}
