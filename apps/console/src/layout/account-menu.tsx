import { Menu } from '@base-ui/react/menu'
import type { Schemas } from '@slipway/client'
import { useNavigate } from '@tanstack/react-router'

interface AccountMenuProps {
  readonly current: string
  readonly accounts: readonly Schemas['ProfileAccount'][]
}

/** Shows the account, and switches to another one. */
export function AccountMenu({ current, accounts }: AccountMenuProps) {
  const navigate = useNavigate()
  return (
    <Menu.Root>
      <Menu.Trigger className="menu-button" aria-label={`Account ${current}: switch`}>
        <bdi>{current}</bdi> <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-positioner" sideOffset={4} align="start">
          <Menu.Popup className="menu">
            <Menu.RadioGroup
              value={current}
              onValueChange={(account: string) =>
                void navigate({ to: '/accounts/$account/deployments', params: { account } })
              }
            >
              {accounts.map(({ id, name, role }) => (
                <Menu.RadioItem key={id} value={name} className="menu-item" closeOnClick>
                  <Menu.RadioItemIndicator className="menu-mark">✓</Menu.RadioItemIndicator>
                  <bdi>{name}</bdi>
                  <span className="faint">{role}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
