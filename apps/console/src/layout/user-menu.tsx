import { Menu } from '@base-ui/react/menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { SESSION_KEY, signOut, type Session } from '../api/session.ts'
import { Confirm } from '../ui/confirm.tsx'
import { chooseTheme, savedTheme, THEMES, type Theme } from './theme.ts'

/** Who is signed in, the theme, and signing out. */
export function UserMenu({ session: { user } }: { readonly session: Session }) {
  const [theme, setTheme] = useState(savedTheme)
  const queryClient = useQueryClient()
  const [hasFailed, setFailed] = useState(false)
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queryClient.setQueryData(SESSION_KEY, null)
    },
    onError: () => setFailed(true),
  })
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="menu-button" aria-label={`${user.name}: theme and signing out`}>
          <bdi>{user.name}</bdi> <span aria-hidden="true">▾</span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="menu-positioner" sideOffset={4} align="end">
            <Menu.Popup className="menu">
              <Menu.RadioGroup value={theme} onValueChange={choose}>
                {THEMES.map((each) => (
                  <Menu.RadioItem key={each} value={each} className="menu-item">
                    <Menu.RadioItemIndicator className="menu-mark">✓</Menu.RadioItemIndicator>
                    {each === 'system' ? 'Theme of the system' : `${capital(each)} theme`}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
              <Menu.Separator className="menu-separator" />
              <Menu.Item className="menu-item" onClick={() => leave.mutate(false)}>
                Sign out
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => leave.mutate(true)}>
                Sign out everywhere
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {hasFailed && (
        <Confirm
          title="Signing out has failed"
          action="Try again"
          isRunning={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate(leave.variables ?? false)}
          onClose={() => setFailed(false)}
        >
          <p>Don&rsquo;t leave this device to others before you are signed out.</p>
        </Confirm>
      )}
    </>
  )
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
