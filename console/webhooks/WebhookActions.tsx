import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Reveal } from '../ui/text/Reveal.tsx'
import type { Webhook } from './api.ts'
import { WebhookSheet } from './WebhookSheet.tsx'

/** Test, edit, disable, rotate the secret, delete. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { slug, whyNot } = useTenant()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  // in component state only: the response is not cached
  const [secret, setSecret] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const input = { tenant: slug, id: webhook.id }
  const close = () => setOpen(null)
  const inline = { meta: { inline: true as const } }

  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: () => toast('Test sent', { description: 'Your server’s reply appears below.' }),
    }),
  )
  const turn = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: ({ enabled }) => toast(enabled ? 'Webhook enabled' : 'Webhook disabled'),
    }),
  )
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      ...inline,
      onSuccess: () => {
        close()
        toast('Webhook saved')
      },
    }),
  )
  const rotate = useMutation(
    trpc.webhooks.rotate.mutationOptions({
      ...inline,
      gcTime: 0,
      onSuccess: ({ secret }) => {
        close()
        setSecret(secret)
        rotate.reset()
      },
    }),
  )
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      ...inline,
      onSuccess: async () => {
        toast('Webhook deleted')
        await navigate({ to: '/o/$tenant/settings/webhooks', params: { tenant: slug } })
      },
    }),
  )
  const reason = whyNot('webhook.write')
  return (
    <>
      <Button
        busy={test.isPending}
        onClick={() => test.mutate(input)}
        reason={reason ?? (webhook.enabled ? undefined : 'This webhook is disabled. Enable it first.')}
      >
        Send test
      </Button>
      <Menu trigger={<IconButton ref={opener} icon={MoreHorizontal} label="Actions for the webhook" framed />}>
        <MenuItem reason={reason} onClick={() => setOpen('edit')}>
          Edit…
        </MenuItem>
        <MenuItem reason={reason} onClick={() => turn.mutate({ ...input, enabled: !webhook.enabled })}>
          {webhook.enabled ? 'Disable' : 'Enable'}
        </MenuItem>
        <MenuItem reason={reason} onClick={() => setOpen('rotate')}>
          Rotate secret…
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger reason={reason} onClick={() => setOpen('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      <WebhookSheet
        open={open === 'edit'}
        onClose={close}
        title="Edit the webhook"
        submit="Save"
        values={webhook}
        mutation={update}
        onSubmit={({ url, types }) => update.mutate({ ...input, url, types })}
      />
      <Confirm
        open={open === 'rotate'}
        onClose={close}
        title="Rotate the signing secret?"
        action="Rotate secret"
        onConfirm={() => rotate.mutate(input)}
        mutation={rotate}
      >
        For 24 hours, requests are signed with the new and the current secret. Replace it on your server in this time.
      </Confirm>
      <Confirm
        open={open === 'delete'}
        onClose={close}
        title="Delete this webhook?"
        action="Delete webhook"
        onConfirm={() => remove.mutate(input)}
        mutation={remove}
      >
        No more events are sent to it, and its deliveries are deleted. You can’t undo this.
      </Confirm>
      <Reveal
        title="The new signing secret"
        name="Signing secret"
        secret={secret}
        // what had the focus before, the entry of the menu and the button of the question, is gone
        finalFocus={() => opener.current}
        onDone={() => setSecret(null)}
      />
    </>
  )
}
